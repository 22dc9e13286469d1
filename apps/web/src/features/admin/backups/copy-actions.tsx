import type { BackupCopy } from '@catenary/contracts'
import { DownloadIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DropdownMenuItem } from '../../../components/ui/dropdown-menu.tsx'
import { cn } from '../../../lib/utils.ts'
import { fileOf, useDeleteBackup, useDrill } from './backups.queries.ts'
import { useVerifyCopy } from './use-verify-copy.ts'

const QUIET =
  'opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100 pointer-coarse:opacity-100'

interface CopyActionsProps {
  copy: BackupCopy
  isBusy: boolean
  /** The newest that is there: its download is always shown. */
  isNewest: boolean
}

export function CopyActions({ copy, isBusy, isNewest }: CopyActionsProps) {
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
      <MoreMenu aria-label={`More for the copy of ${takenAt}`} pending={isPending}>
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
        onOpenChange={setAsks}
        title={isThere ? 'Delete this copy?' : 'Remove this entry?'}
        description={
          isThere
            ? 'Its file will be permanently deleted.'
            : 'The file no longer exists. The audit log keeps the record.'
        }
        confirmLabel={isThere ? 'Delete' : 'Remove'}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSettled: () => setAsks(false) })}
      />
    </span>
  )
}
