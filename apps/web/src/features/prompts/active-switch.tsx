import type { ListedPrompt } from '@catenary/contracts'
import { Switch } from '../../components/ui/switch.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useAuthGate } from '../accounts/auth-gate.tsx'
import { useTogglePrompt } from './prompts.queries.ts'

export function ActiveSwitch({ prompt: { id, title, isActive, canEdit } }: { prompt: ListedPrompt }) {
  const { user } = useSession()
  const guard = useAuthGate()
  const toggle = useTogglePrompt()
  const change = (isActive: boolean) =>
    toggle.mutate(
      { id, isActive },
      {
        onSuccess: () =>
          toast({
            title: 'Status updated',
            description: `Prompt has been ${isActive ? 'activated' : 'deactivated'}`,
            action: { label: 'Undo', onPress: () => change(!isActive) },
          }),
        onError: (error) =>
          toast({
            title: 'Error',
            description: `Failed to update prompt status: ${errorMessage(error)}`,
            variant: 'destructive',
          }),
      },
    )
  return (
    <Switch
      aria-label={`Active: ${title}`}
      checked={isActive}
      aria-readonly={!user || undefined}
      disabled={toggle.isPending || (user !== null && !canEdit)}
      onCheckedChange={(next) => guard(() => change(next))}
      className="z-1"
    />
  )
}
