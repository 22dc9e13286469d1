import type { ListedPrompt, Share } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { peopleText } from '../groups/group-texts.ts'
import { OwnerLine } from '../records/hand-overs/owner-line.tsx'
import { isSameShares, sharesQuery, useSaveShares } from '../records/shares/shares.queries.ts'
import { SharesField } from '../records/shares/shares-field.tsx'
import { ShareOwnRuns } from '../runs/share-own-runs.tsx'

export interface SharePromptDialogProps {
  prompt: ListedPrompt
  onClose: () => void
}

export default function SharePromptDialog({ prompt, onClose }: SharePromptDialogProps) {
  const { id, title, isPublic } = prompt
  const { data: stored, error, refetch } = useQuery({ ...sharesQuery({ kind: 'prompt', id }), gcTime: 0 })
  const save = useSaveShares('prompt')
  const [wanted, setWanted] = useState<readonly Share[] | null>(null)
  const shares = wanted ?? stored ?? []
  const submit = () =>
    save.mutate(
      { id, shares },
      {
        onSuccess: () => {
          toast({ title: 'Prompt shared', description: describe(title, shares) })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      onClose={onClose}
      title="Share Prompt"
      description={
        isPublic
          ? `Everyone can see “${title}”. Editors can also change it.`
          : `“${title}” is private: only you and these people can see it.`
      }
      onSubmit={submit}
      submitLabel="Save Changes"
      pendingLabel="Saving..."
      pending={save.isPending}
      submitDisabled={stored === undefined}
      dirty={stored !== undefined && !isSameShares(shares, stored)}
      error={save.error && errorMessage(save.error)}
    >
      {error && (
        <ErrorState title="The people could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!error && !stored && <Skeleton className="h-24" />}
      {stored && <SharesField value={shares} isPublic={isPublic} onChange={setWanted} />}
      {stored && <ShareOwnRuns record={{ kind: 'prompt', id }} />}
      {stored && <OwnerLine record={{ kind: 'prompt', id, name: title }} />}
    </FormDialog>
  )
}

function describe(title: string, shares: readonly Share[]): string {
  if (shares.length === 0) return `“${title}” isn’t shared with anyone by name.`
  const groups = shares.filter((share) => 'group' in share).length
  const people = shares.length - groups
  const parts = [
    people > 0 && `${peopleText(people)} by name`,
    groups > 0 && (groups === 1 ? '1 group' : `${groups} groups`),
  ]
  return `“${title}” is shared with ${parts.filter((part) => part !== false).join(' and ')}.`
}
