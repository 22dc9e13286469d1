import type { BackupCopy } from '@catenary/contracts'
import { CircleAlertIcon, CircleCheckIcon, DownloadIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { TableCell, TableRow } from '../../../components/ui/table.tsx'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { useFold } from '../../../lib/use-fold.ts'
import { cn } from '../../../lib/utils.ts'
import { type CopyTrouble, troublesOf } from './backup-texts.ts'
import { fileOf, useDeleteBackup, useDrill } from './backups.queries.ts'
import { DayAndClock } from './day-and-clock.tsx'
import { useVerifyCopy } from './use-verify-copy.ts'

interface CopyRowProps {
  copy: BackupCopy
  isBusy: boolean
  isNewest: boolean
  isTried: boolean
  isOutOfReach: boolean
}

export function CopyRow({ isTried, isOutOfReach, ...row }: CopyRowProps) {
  const { copy, isNewest } = row
  const { takenAt, reason, schema, state, bytes, program } = copy
  const isFailed = state === 'failed'
  const kind = reason === 'before migration' && schema !== null ? `${reason} ${schema + 1}` : reason
  const size = bytes === null ? '–' : formatBytes(bytes)
  const troubles = <Troubles troubles={troublesOf(copy)} takenAt={takenAt} />
  const hasTrouble = troublesOf(copy).length > 0
  const proof = <Proof copy={copy} isNewest={isNewest} isTried={isTried} isOutOfReach={isOutOfReach} />
  return (
    <>
      <TableRow className={cn(isFailed && 'bg-danger-soft')}>
        <TableCell className={cn('max-sm:py-2 sm:whitespace-nowrap', isFailed && 'text-danger')}>
          <DayAndClock time={takenAt} className={cn((isNewest || isFailed) && 'font-medium')} />
          <div className="grid gap-0.5 text-text-2 sm:hidden">
            {!isFailed && `${kind}, ${size}`}
            {!isFailed && proof}
          </div>
        </TableCell>
        {isFailed ? (
          <TableCell colSpan={4} className="py-2 max-sm:hidden">
            {troubles}
          </TableCell>
        ) : (
          <>
            <TableCell className="whitespace-nowrap text-text-2 max-sm:hidden">{kind}</TableCell>
            <TableCell className="text-right whitespace-nowrap text-text-2 tabular-nums max-sm:hidden">
              {size}
            </TableCell>
            <TableCell className="max-w-24 truncate text-text-2 max-sm:hidden" title={program}>
              {program}
            </TableCell>
            <TableCell className="whitespace-nowrap max-sm:hidden">{proof}</TableCell>
          </>
        )}
        <TableCell className="pr-2! text-right whitespace-nowrap max-sm:align-top">
          <CopyActions {...row} />
        </TableCell>
      </TableRow>
      {hasTrouble && (
        <tr className={cn('border-t-0!', isFailed && 'bg-danger-soft sm:hidden')}>
          <td colSpan={6} className="px-(--card-x) pb-2">
            {troubles}
          </td>
        </tr>
      )}
    </>
  )
}

type ProofProps = Pick<CopyRowProps, 'copy' | 'isNewest' | 'isTried' | 'isOutOfReach'>

function Proof({ copy: { state, drill }, isNewest, isTried, isOutOfReach }: ProofProps) {
  if (state === 'gone') {
    return <span className="text-warn">{isOutOfReach ? 'can’t be reached' : 'file is gone'}</span>
  }
  if (isTried) {
    return (
      <span className="inline-flex items-center gap-1.5 align-middle text-text-2 [&_svg]:size-3.5">
        <Spinner />
        being tested
      </span>
    )
  }
  if (drill === null) return <span className="text-text-3">not tested</span>
  const isProven = drill.state === 'proven'
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle [&_svg]:size-3.5',
        isProven ? 'text-ok' : 'text-danger',
      )}
    >
      {isProven ? <CircleCheckIcon /> : <CircleAlertIcon />}
      {isProven ? 'proven' : 'failed'}
      {isNewest && <Time time={drill.at} as="clock" />}
    </span>
  )
}

const QUIET =
  'opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100 pointer-coarse:opacity-100'

interface CopyActionsProps {
  copy: BackupCopy
  isBusy: boolean
  /** The newest that is there: its download is always shown. */
  isNewest: boolean
}

function CopyActions({ copy, isBusy, isNewest }: CopyActionsProps) {
  const [asks, setAsks] = useState(false)
  const { verify, isPending } = useVerifyCopy()
  const drill = useDrill()
  const remove = useDeleteBackup()
  const { id, state, takenAt, name } = copy
  const isThere = state === 'kept'
  return (
    <span className="inline-flex items-center">
      {isThere && (
        <Button asChild variant="ghost" size="icon-sm" className={cn(!isNewest && QUIET)}>
          <a href={fileOf(id)} download={name ?? ''} aria-label={`Download the copy of ${takenAt}`}>
            <DownloadIcon />
          </a>
        </Button>
      )}
      <MoreMenu of={`copy of ${takenAt}`} pending={isPending}>
        {isThere && <DropdownMenuItem onSelect={() => verify(id)}>Verify</DropdownMenuItem>}
        {isThere && (
          <DropdownMenuItem disabled={isBusy} onSelect={() => drill.mutate(id)}>
            Test restore
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => setAsks(true)}>{isThere ? 'Delete' : 'Remove'}</DropdownMenuItem>
      </MoreMenu>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={isThere ? 'Delete this copy?' : 'Remove this entry?'}
        description={
          isThere
            ? 'Its file will be permanently deleted.'
            : 'The file no longer exists. The activity keeps the record.'
        }
        confirmLabel={isThere ? 'Delete' : 'Remove'}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSettled: () => setAsks(false) })}
      />
    </span>
  )
}

interface TroublesProps {
  troubles: readonly CopyTrouble[]
  takenAt: string
}

function Troubles({ troubles, takenAt }: TroublesProps) {
  return troubles.map((trouble) => <Trouble key={trouble.text} takenAt={takenAt} {...trouble} />)
}

function Trouble({ text, log, takenAt }: CopyTrouble & { takenAt: string }) {
  const { isOpen, button, panel } = useFold()
  return (
    <div className="grid gap-1.5 py-0.5 text-sm text-danger">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">{text}</span>
        {log !== null && (
          <Button variant="link" className="font-medium text-danger" {...button}>
            {isOpen ? 'Hide log' : 'Log'}
            <span className="sr-only"> of the copy of {takenAt}</span>
          </Button>
        )}
      </div>
      {log !== null && (
        <section
          {...panel}
          aria-label={`Log of the copy of ${takenAt}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          tabIndex={0}
          className="max-h-60 overflow-y-auto rounded-control border border-line bg-surface px-3 py-2 outline-offset-[-3px]"
        >
          <pre className="font-mono text-xs whitespace-pre-wrap text-text-2 wrap-anywhere">{log}</pre>
        </section>
      )}
    </div>
  )
}
