import type { BackupCopy } from '@catenary/contracts'
import { CircleAlertIcon, CircleCheckIcon, DownloadIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { TableCell } from '../../../components/ui/table.tsx'
import { formatBytes } from '../../../lib/text/bytes.ts'
import { toast } from '../../../lib/toast.ts'
import { fileOf, useDeleteBackup, useDrill, useVerify } from './backups.queries.ts'

interface CopyRowProps {
  copy: BackupCopy
  /** Another is being made or tried. */
  isBusy: boolean
}

/** The cells of one copy, or of a try that failed. */
export function CopyRow({ copy, isBusy }: CopyRowProps) {
  const { takenAt, reason, schema, state, bytes, program, problem } = copy
  const kind = reason === 'before migration' && schema !== null ? `${reason} ${schema + 1}` : reason
  const size = bytes === null ? '–' : formatBytes(bytes)
  if (state === 'failed') {
    return (
      <>
        <TableCell colSpan={5} className="py-2 text-danger wrap-anywhere">
          <Time time={takenAt} className="mr-3 font-medium whitespace-nowrap" />
          <span>failed: {problem}</span>
        </TableCell>
        <TableCell className="text-right">
          <CopyActions copy={copy} isBusy={isBusy} />
        </TableCell>
      </>
    )
  }
  return (
    <>
      <TableCell className="py-1.5 font-medium sm:whitespace-nowrap">
        <Time time={takenAt} />
        <span className="block text-xs font-normal text-text-2 sm:hidden">
          {kind}, {size}
        </span>
      </TableCell>
      <TableCell className="min-w-28 text-text-2 max-sm:hidden">
        {kind}
        {problem !== null && <span className="block text-xs text-danger wrap-anywhere">{problem}</span>}
      </TableCell>
      <TableCell className="text-right whitespace-nowrap tabular-nums max-sm:hidden">{size}</TableCell>
      <TableCell className="text-text-2 max-sm:hidden">{program}</TableCell>
      <TableCell className="whitespace-nowrap">
        {state === 'gone' ? <span className="text-warn">file is gone</span> : <Proof copy={copy} />}
      </TableCell>
      <TableCell className="text-right whitespace-nowrap">
        <CopyActions copy={copy} isBusy={isBusy} />
      </TableCell>
    </>
  )
}

function Proof({ copy: { drill } }: { copy: BackupCopy }) {
  if (drill === null) return <span className="text-text-3">not tried</span>
  const isProven = drill.state === 'proven'
  return (
    <span
      className={`inline-flex items-center gap-1.5 [&_svg]:size-3.5 ${isProven ? 'text-ok' : 'text-danger'}`}
    >
      {isProven ? <CircleCheckIcon /> : <CircleAlertIcon />}
      {isProven ? 'proven' : 'failed'}
    </span>
  )
}

function CopyActions({ copy, isBusy }: CopyRowProps) {
  const [asks, setAsks] = useState(false)
  const verify = useVerify()
  const drill = useDrill()
  const remove = useDeleteBackup()
  const { id, state, takenAt, name } = copy
  const isThere = state === 'kept'
  const verifyNow = () =>
    verify.mutate(id, {
      onSuccess: ({ problem, rows, tables }) =>
        toast(
          problem === null
            ? {
                title: 'The copy is whole',
                description: `${rows?.toLocaleString('en')} rows in ${tables} tables`,
              }
            : { title: 'The copy can’t be used', description: problem, variant: 'destructive' },
        ),
    })
  return (
    <span className="inline-flex items-center">
      {isThere && (
        <Button asChild variant="ghost" size="icon-sm">
          <a href={fileOf(id)} download={name ?? ''} aria-label={`Download the copy of ${takenAt}`}>
            <DownloadIcon />
          </a>
        </Button>
      )}
      <MoreMenu aria-label={`More for the copy of ${takenAt}`} pending={verify.isPending}>
        {isThere && <DropdownMenuItem onSelect={verifyNow}>Verify</DropdownMenuItem>}
        {isThere && (
          <DropdownMenuItem disabled={isBusy} onSelect={() => drill.mutate(id)}>
            Restore on trial
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={() => setAsks(true)}>{isThere ? 'Delete' : 'Put away'}</DropdownMenuItem>
      </MoreMenu>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={isThere ? 'Delete this copy?' : 'Put this row away?'}
        description={
          isThere ? 'Its file is deleted for good.' : 'There is no file of it. The audit keeps what happened.'
        }
        confirmLabel={isThere ? 'Delete' : 'Put away'}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSettled: () => setAsks(false) })}
      />
    </span>
  )
}
