import { type VersionLabels, versionNoteRequest } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRightIcon, HistoryIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from '../../../components/ui/dialog.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { countOf, useList } from '../../../lib/lists.ts'
import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { toast } from '../../../lib/toast.ts'
import { PRODUCTION } from './label-chip.tsx'
import { LabelMovesDialog } from './label-moves-dialog.tsx'
import { LabelsMenu } from './labels-menu.tsx'
import { MoveLabelDialog } from './move-label-dialog.tsx'
import { RemoveLabelDialog } from './remove-label-dialog.tsx'
import {
  labelsQuery,
  lastMoveQuery,
  useSaveNote,
  versionMetricsQuery,
  versionTestsQuery,
} from './version-labels.queries.ts'
import { VersionNoteField } from './version-note-field.tsx'
import { VersionRail } from './version-rail.tsx'
import { VersionToolbar } from './version-toolbar.tsx'
import type { LabelDialog, RailVersion, Versioned, VersionPair } from './versioned.ts'

interface VersionList {
  data: readonly RailVersion[] | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

export interface VersionsViewProps {
  record: Versioned
  list: VersionList
  mayChange: boolean
  renderDifference: (pair: VersionPair) => ReactNode
  renderOnly: (number: number) => ReactNode
  renderRestore?: ((number: number) => ReactNode) | undefined
  notice?: ReactNode
  onSelect?: () => void
  onClose: () => void
}

export function VersionsView({ record, list, mayChange, notice, onClose, ...props }: VersionsViewProps) {
  const { data: versions = [], error, isPending, refetch } = list
  const { data: labels } = useQuery(labelsQuery(record))
  const { data: metrics = [] } = useQuery(versionMetricsQuery(record))
  const { data: tests = [] } = useQuery(versionTestsQuery(record))
  const [choice, setChoice] = useState<Choice>({})
  const dialogs = useLabelDialogs()
  const { selected, other } = pairOf(versions, choice)
  // The selected version stays selected when others save a new one.
  if (selected && choice.selected === undefined) setChoice({ selected: selected.number })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        className="h-[min(760px,calc(100dvh-32px))] max-w-[1300px]"
        aria-describedby="versions-of"
      >
        <DialogHeader className="border-b border-line">
          <div className="flex min-w-0 items-baseline gap-3">
            <DialogTitle>Versions</DialogTitle>
            <DialogDescription dir="auto" id="versions-of" className="min-w-0 truncate">
              {record.name}
            </DialogDescription>
          </div>
        </DialogHeader>
        {error && <ErrorState error={error} onRetry={() => void refetch()} className="flex-1" />}
        {isPending && <VersionsSkeleton />}
        {selected && (
          <div className="grid min-h-0 flex-1 max-md:grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[minmax(248px,324px)_minmax(0,1fr)]">
            <div className="flex min-h-0 flex-col max-md:max-h-[228px] max-md:border-b md:border-r">
              <VersionRail
                versions={versions}
                labels={labels?.labels ?? []}
                metrics={metrics}
                tests={tests}
                selected={selected.number}
                onSelect={(number) => {
                  setChoice({ selected: number })
                  props.onSelect?.()
                }}
              />
              <MovesButton record={record} onClick={() => dialogs.open({ kind: 'moves' })} />
            </div>
            <div className="grid min-h-0 content-start gap-4 overflow-y-auto p-4">
              <VersionToolbar
                versions={versions}
                selected={selected.number}
                other={other?.number}
                onOtherChange={(other) => setChoice({ selected: selected.number, other })}
              >
                {mayChange && labels && (
                  <LabelsMenu labels={labels} version={selected.number} onChoose={dialogs.open} />
                )}
                {selected !== versions[0] && props.renderRestore?.(selected.number)}
              </VersionToolbar>
              {notice}
              {other ? props.renderDifference(inOrder(selected, other)) : props.renderOnly(selected.number)}
            </div>
          </div>
        )}
        <LabelDialogs
          record={record}
          versions={versions}
          labels={labels?.labels ?? []}
          mayChange={mayChange}
          renderDifference={props.renderDifference}
          {...dialogs}
        />
      </DialogContent>
    </Dialog>
  )
}

interface Choice {
  selected?: number
  other?: number
}

/** Unless chosen otherwise an older version is compared with the current one, and that with the one before. */
function pairOf(versions: readonly RailVersion[], choice: Choice) {
  const [current, previous] = versions
  const byNumber = (wanted?: number) => versions.find(({ number }) => number === wanted)
  const selected = byNumber(choice.selected) ?? previous ?? current
  return { selected, other: byNumber(choice.other) ?? (selected === current ? previous : current) }
}

function inOrder(left: RailVersion, right: RailVersion): VersionPair {
  return {
    before: Math.min(left.number, right.number),
    after: Math.max(left.number, right.number),
  }
}

function VersionsSkeleton() {
  return (
    <div role="status" aria-label="Loading versions" className="grid flex-1 content-start gap-2 p-4">
      {['w-60', 'w-52', 'w-64'].map((width) => (
        <Skeleton key={width} className={`h-14 ${width}`} />
      ))}
    </div>
  )
}

function useLabelDialogs() {
  const [shown, setShown] = useState<LabelDialog | null>(null)
  return { shown, open: setShown, close: () => setShown(null) }
}

interface LabelDialogsProps extends ReturnType<typeof useLabelDialogs> {
  record: Versioned
  versions: readonly RailVersion[]
  labels: VersionLabels['labels']
  mayChange: boolean
  renderDifference: (pair: VersionPair) => ReactNode
}

function LabelDialogs({ shown, close, versions, ...props }: LabelDialogsProps) {
  switch (shown?.kind) {
    case 'move':
      return <MoveLabelDialog {...props} {...shown} onClose={close} />
    case 'new':
      return <MoveLabelDialog {...props} label={null} from={null} to={shown.to} onClose={close} />
    case 'remove':
      return <RemoveLabelDialog {...props} {...shown} onClose={close} />
    case 'note': {
      const note = versions.find(({ number }) => number === shown.version)?.note ?? ''
      return <VersionNoteDialog {...props} number={shown.version} note={note} onClose={close} />
    }
    case 'moves':
      return <LabelMovesDialog {...props} onClose={close} />
    default:
      return null
  }
}

function MovesButton({ record, onClick }: { record: Versioned; onClick: () => void }) {
  const { list } = useList(lastMoveQuery({ record, label: PRODUCTION }))
  const timeZone = useTimeZone()
  const [last] = list?.items ?? []
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-11 shrink-0 items-center gap-2 border-t border-line px-4 text-left text-sm text-text-2 transition-colors hover:bg-hover hover:text-text focus-visible:outline-offset-[-3px]"
    >
      <HistoryIcon className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">
        {list && last
          ? `${PRODUCTION} moved ${timesOf(countOf(list))}, last ${formatTime({ time: last.movedAt, as: 'shortDay', timeZone })}`
          : 'Label history'}
      </span>
      <ChevronRightIcon className="size-4 shrink-0 text-text-3" />
    </button>
  )
}

function timesOf(count: string): string {
  return count === '1' ? 'once' : `${count} times`
}

interface VersionNoteDialogProps {
  record: Versioned
  number: number
  note: string
  onClose: () => void
}

function VersionNoteDialog({ record, number, note: before, onClose }: VersionNoteDialogProps) {
  const [note, setNote] = useState(before)
  const [refusal, setRefusal] = useState<string>()
  const save = useSaveNote(record)
  const submit = () => {
    const parsed = versionNoteRequest.safeParse({ note })
    if (!parsed.success) return setRefusal(parsed.error.issues[0]?.message)
    return save.mutate(
      { number, ...parsed.data },
      {
        onSuccess: () => {
          toast({ title: 'Note saved', description: `Added to version ${number}.` })
          onClose()
        },
        onError: (error) => setRefusal(errorReason(error)),
      },
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Note on version ${number}`}
      submitLabel="Save note"
      pending={save.isPending}
      dirty={note !== before}
      className="max-w-[480px]"
      onSubmit={submit}
    >
      <VersionNoteField
        version={number}
        error={refusal}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  )
}
