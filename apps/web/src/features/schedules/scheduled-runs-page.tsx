import type { ListedSchedule, ScheduledRun } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CalendarClockIcon, CalendarPlusIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { BackLink } from '../../components/back-link.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast, toastFailure } from '../../lib/toast.ts'
import type { ScheduleFieldsProps } from './schedule-fields-props.ts'
import { ScheduleItem } from './schedule-item.tsx'
import { scheduledRunQuery, scheduledRunsQuery, useDeleteSchedule } from './schedules.queries.ts'

const ScheduleRunDialog = part(() => import('./schedule-dialog.tsx'))

export interface ScheduledRunsPageProps {
  chainId: number
  chain: ScheduleFieldsProps['chain'] | undefined
  canSchedule: boolean
}

const UNKNOWN: ScheduleFieldsProps['chain'] = {
  name: 'Chain',
  takesInput: false,
  releases: undefined,
  runVisibility: undefined,
}

export function ScheduledRunsPage({ chainId, chain = UNKNOWN, canSchedule }: ScheduledRunsPageProps) {
  const title = `${chain.name} - Scheduled Runs`
  useDocumentTitle(title)
  const { user } = useSession()
  const { open, show } = useOpenItem('schedule')
  const [deleting, setDeleting] = useState<ScheduledRun | null>(null)
  const runs = useQuery(scheduledRunsQuery(chainId))
  const create = () => canSchedule && show({ kind: 'create' })
  useShortcut({ id: 'create', onPress: create })
  const listed =
    open?.kind === 'open' ? runs.data?.find(({ id, canEdit }) => id === open.id && canEdit) : null
  const isClipped = listed?.inputClipped === true
  const whole = useQuery({ ...scheduledRunQuery(listed?.id ?? 0), enabled: isClipped })
  const opened = isClipped ? whole.data : listed
  return (
    <>
      <PageHeader
        title={<span title={title}>{title}</span>}
        start={<BackLink href={`/chains/${chainId}`} label="Back to Chain" />}
        action={
          canSchedule && (
            <Button onClick={create} aria-label="Schedule Run">
              <CalendarPlusIcon />
              <span className="max-md:hidden">Schedule Run</span>
            </Button>
          )
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-5 pb-16 max-md:px-3.5 max-md:pt-3.5">
        <div className="mx-auto grid max-w-[860px] gap-3">
          <Schedules
            chainId={chainId}
            runs={runs}
            onEdit={({ id }) => show({ kind: 'open', id })}
            onDelete={setDeleting}
          />
        </div>
      </div>
      {user && open && opened !== undefined && (opened !== null || canSchedule) && (
        <DialogSuspense>
          <ScheduleRunDialog
            key={opened?.id ?? 'new'}
            chainId={chainId}
            chain={chain}
            schedule={opened}
            userId={user.id}
            onClose={() => show(null)}
          />
        </DialogSuspense>
      )}
      {deleting && <DeleteScheduleDialog schedule={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}

interface SchedulesProps {
  chainId: number
  runs: Pick<ReturnType<typeof useQuery<ListedSchedule[]>>, 'data' | 'error' | 'refetch'>
  onEdit: (schedule: ScheduledRun) => void
  onDelete: (schedule: ScheduledRun) => void
}

function Schedules({ chainId, runs: { data, error, refetch }, onEdit, onDelete }: SchedulesProps) {
  if (!data && error) {
    return (
      <ErrorState
        title="The scheduled runs could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <SchedulesSkeleton />
  if (data.length === 0) return <NoSchedules chainId={chainId} />
  return (
    <ul aria-label="Scheduled runs" className="grid min-w-0 gap-3">
      {data.map((schedule) => (
        <ScheduleItem
          key={schedule.id}
          schedule={schedule}
          onEdit={() => onEdit(schedule)}
          onDelete={() => onDelete(schedule)}
        />
      ))}
    </ul>
  )
}

function NoSchedules({ chainId }: { chainId: number }) {
  return (
    <EmptyState
      icon={<CalendarClockIcon />}
      title="No scheduled runs found"
      about="schedules"
      description="A schedule runs the chain once or repeatedly, and emails the result."
      action={
        <Button asChild>
          <Link href={`/chains/${chainId}?schedule=new`}>Schedule a Run</Link>
        </Button>
      }
    />
  )
}

function SchedulesSkeleton() {
  return (
    <div role="status" className="grid animate-late gap-3">
      <span className="sr-only">Loading scheduled runs...</span>
      {[0, 1, 2].map((each) => (
        <div key={each} className="grid gap-3 rounded-card border border-line px-4 py-3.5">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-3 w-1/2" />
          <Skeleton className="h-9 w-3/4" />
        </div>
      ))}
    </div>
  )
}

function DeleteScheduleDialog({ schedule, onClose }: { schedule: ScheduledRun; onClose: () => void }) {
  const { mutate, isPending } = useDeleteSchedule()
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Are you sure?"
      description={
        <>
          <span className="block">
            This will permanently delete this scheduled run. This action cannot be undone.
          </span>
          <span className="mt-2 block">
            It will no longer run or email results. Its past runs stay in the chain’s history.
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
          onError: toastFailure('Failed to delete'),
          onSettled: onClose,
        })
      }
    />
  )
}
