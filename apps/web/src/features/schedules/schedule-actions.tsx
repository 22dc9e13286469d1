import type { ScheduledRun } from '@catenary/contracts'
import { PencilIcon, PlayIcon, PowerIcon, PowerOffIcon, Trash2Icon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { toast, toastFailure } from '../../lib/toast.ts'
import { useRunScheduleNow, useUpdateSchedule } from './schedules.queries.ts'

export interface ScheduleActionsProps {
  schedule: ScheduledRun
  onEdit: () => void
  onDelete: () => void
}

export function ScheduleActions({ schedule, onEdit, onDelete }: ScheduleActionsProps) {
  const { name, createdBy, active, canEdit, canExecute, canDelete, canDeactivate } = schedule
  const { mutate: runNow, isPending: isStarting } = useRunScheduleNow()
  const { setActive, isPending } = useSetActive(schedule)
  const start = () =>
    runNow(schedule, {
      onSuccess: () => toast({ title: 'Chain execution started', description: `“${name}” is now running.` }),
      onError: toastFailure('Failed to execute chain'),
    })
  const canToggle = active ? canDeactivate : canEdit
  const turn = active ? 'Deactivate' : 'Activate'
  return (
    <div className="flex shrink-0 items-center gap-1">
      {canExecute && (
        <Button
          variant="secondary"
          size="sm"
          pending={isStarting}
          onClick={start}
          aria-label={`Run Now: ${name}`}
        >
          {!isStarting && <PlayIcon />}
          Run Now
        </Button>
      )}
      {canEdit && (
        <IconAction label={`Edit: ${name}`} hint="Edit" onClick={onEdit}>
          <PencilIcon />
        </IconAction>
      )}
      {(canDeactivate || canEdit) && (
        <IconAction
          label={`${turn}: ${name}`}
          hint={canToggle ? turn : `Only ${createdBy} can activate it again`}
          disabled={!canToggle || isPending}
          onClick={() => setActive(!active)}
        >
          {active ? <PowerOffIcon /> : <PowerIcon />}
        </IconAction>
      )}
      {canDelete && (
        <IconAction label={`Delete: ${name}`} hint="Delete" onClick={onDelete}>
          <Trash2Icon />
        </IconAction>
      )}
    </div>
  )
}

/** Turns it on or off, with a way back where this person has one. */
function useSetActive({ id, name, createdBy, canEdit }: ScheduledRun) {
  const { mutate, isPending } = useUpdateSchedule()
  const send = (active: boolean, onSuccess: () => void) =>
    mutate(
      { id, body: { active } },
      {
        onSuccess,
        onError: toastFailure(active ? 'Failed to activate schedule' : 'Failed to deactivate schedule'),
      },
    )
  const setActive = (active: boolean) =>
    send(active, () =>
      toast({
        title: active ? 'Schedule activated' : 'Schedule deactivated',
        description: canEdit
          ? `“${name}” ${active ? 'runs again.' : 'no longer runs.'}`
          : `Only ${createdBy} can activate it again.`,
        ...(canEdit && { action: { label: 'Undo', onPress: () => send(!active, () => undefined) } }),
      }),
    )
  return { setActive, isPending }
}

function IconAction({
  label,
  hint,
  disabled = false,
  onClick,
  children,
}: {
  label: string
  hint: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Hint text={hint}>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={label}
        aria-disabled={disabled || undefined}
        onClick={() => disabled || onClick()}
      >
        {children}
      </Button>
    </Hint>
  )
}
