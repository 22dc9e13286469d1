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
import { debugModeQuery, toolSavingQuery, useSetDebugMode, useSetToolSavers } from './admin.queries.ts'

export default function GeneralPanel() {
  return (
    <SettingsPanel title="General">
      <ToolSavingSetting />
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
      <SettingSwitch
        label="Debug mode"
        hint="The server writes a detailed log to help find a fault. All processes switch within 30 seconds."
        isOn={isOn}
        isPending={setDebugMode.isPending}
        onChange={change}
      />
      {isOn && (
        <Banner role="status" icon={<TriangleAlertIcon />}>
          Debug mode is on. The log grows fast and the server may be slower. Turn it off when you are done.
        </Banner>
      )}
    </>
  )
}

/** Whether everyone may save steps of chains that call services, or only administrators. */
export function ToolSavingSetting() {
  const { data, error, refetch } = useQuery(toolSavingQuery)
  const set = useSetToolSavers()
  if (error) {
    return (
      <ErrorState
        title="Failed to fetch who may save steps that call services"
        error={error}
        onRetry={() => void refetch()}
        className="py-6"
      />
    )
  }
  if (!data) return <Skeleton className="h-10" />
  return (
    <SettingSwitch
      label="Everyone may save steps that call services"
      hint="If off, only administrators may add such steps to chains or change what they call. Steps that are there run as before."
      isOn={data.savedBy === 'everyone'}
      isPending={set.isPending}
      onChange={(isOn) => set.mutate(isOn ? 'everyone' : 'admins')}
    />
  )
}

interface SettingSwitchProps {
  label: string
  hint: string
  isOn: boolean
  isPending: boolean
  onChange: (isOn: boolean) => void
}

function SettingSwitch({ label, hint, isOn, isPending, onChange }: SettingSwitchProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="grid gap-0.5">
        <Label htmlFor={id} className="text-sm text-text">
          {label}
        </Label>
        <p id={`${id}-hint`} className="text-xs text-text-3">
          {hint}
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        disabled={isPending}
        onCheckedChange={onChange}
      />
    </div>
  )
}
