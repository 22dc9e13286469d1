import type { ScheduledRun } from '@catenary/contracts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { useDeleteSchedule } from './schedules.queries.ts'

/** Asks before a schedule goes, with the marks of its runs; the runs stay. */
export function DeleteScheduleDialog({ schedule, onClose }: { schedule: ScheduledRun; onClose: () => void }) {
  const { mutate, isPending } = useDeleteSchedule()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Are you sure?"
      description={
        <>
          <span className="block">
            This will permanently delete this scheduled run. This action cannot be undone.
          </span>
          <span className="mt-2 block">
            It no longer runs, nor mails its results. What it ran stays in the history of the chain.
          </span>
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(schedule.id, {
          onSuccess: () =>
            toast({
              title: 'Scheduled run deleted',
              description: `“${schedule.name}” no longer runs.`,
            }),
          onError: (error) =>
            toast({ title: 'Failed to delete', description: errorMessage(error), variant: 'destructive' }),
          onSettled: onClose,
        })
      }
    />
  )
}
