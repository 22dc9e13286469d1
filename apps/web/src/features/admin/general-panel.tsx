import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { useId } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Label } from '../../components/ui/label.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Switch } from '../../components/ui/switch.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { debugModeQuery, useSetDebugMode } from './admin.queries.ts'

export default function GeneralPanel() {
  return (
    <SettingsPanel title="General">
      <DebugMode />
    </SettingsPanel>
  )
}

export function DebugMode() {
  const { data, error, refetch } = useQuery(debugModeQuery)
  if (error) {
    return (
      <ErrorState
        title="Failed to fetch debug settings"
        error={error}
        onRetry={() => void refetch()}
        className="py-6"
      />
    )
  }
  return data ? <DebugModeSwitch isOn={data.debugMode} /> : <Skeleton className="h-10" />
}

function DebugModeSwitch({ isOn }: { isOn: boolean }) {
  const id = useId()
  const setDebugMode = useSetDebugMode()
  const change = (enabled: boolean) =>
    setDebugMode.mutate(enabled, {
      onSuccess: ({ debugMode }) =>
        toast({
          title: 'Debug mode updated',
          description: `Debug mode is now ${debugMode ? 'enabled' : 'disabled'}`,
        }),
      onError: (error) =>
        toast({
          title: 'Error',
          description: `Failed to update debug mode: ${errorMessage(error)}`,
          variant: 'destructive',
        }),
    })
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <div className="grid gap-0.5">
          <Label htmlFor={id} className="text-sm text-text">
            Debug mode
          </Label>
          <p id={`${id}-hint`} className="text-xs text-text-3">
            The server writes a detailed log to help find a fault. All processes switch within 30 seconds.
          </p>
        </div>
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={isOn}
          disabled={setDebugMode.isPending}
          onCheckedChange={change}
        />
      </div>
      {isOn && (
        <Banner role="status" icon={<TriangleAlertIcon />}>
          Debug mode is on. The log grows fast and the server may be slower. Turn it off when you are done.
        </Banner>
      )}
    </>
  )
}
