import { isWhole, type ListedPrompt, type Prompt, type User } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { PlayIcon } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { part } from '../../components/part.tsx'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Button } from '../../components/ui/button.tsx'
import type { OpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { toastCopied } from './prompt-actions.ts'
import type { PromptDialogProps } from './prompt-dialog.tsx'
import { promptQuery } from './prompts.queries.ts'

const PromptDialog = part(() => import('./prompt-dialog.tsx'))

export interface OpenPromptDialogProps {
  open: OpenItem
  prompts: readonly ListedPrompt[] | undefined
  categoryId: number | null
  onExecute: (prompt: ListedPrompt) => void
  onClose: () => void
}

export function OpenPromptDialog({ open, prompts, ...props }: OpenPromptDialogProps) {
  const { user, status } = useSession()
  if (open === null || status === 'loading') return null
  if (open.kind === 'create') {
    const { categoryId, onClose } = props
    return user && <Editor prompt={null} categoryId={categoryId} userId={user.id} onClose={onClose} />
  }
  const listed = prompts?.find(({ id }) => id === open.id)
  return <StoredPromptDialog key={open.id} id={open.id} listed={listed} user={user} {...props} />
}

function StoredPromptDialog({
  id,
  listed,
  user,
  onExecute,
  onClose,
}: Omit<OpenPromptDialogProps, 'open' | 'prompts'> & {
  id: number
  listed: ListedPrompt | undefined
  user: User | null
}) {
  // A save may take the prompt out of the list; its dialog stays with what it was opened with.
  const [first] = useState(listed && isWhole(listed) ? listed : undefined)
  const { data, error } = useQuery({ ...promptQuery(id), enabled: !first, gcTime: 0 })
  const prompt = first ?? data
  if (error) return <MissingPromptDialog error={error} onClose={onClose} />
  if (!prompt) return null
  if (user && prompt.canEdit)
    return <Editor prompt={prompt} categoryId={null} userId={user.id} onClose={onClose} />
  // A guest may press it too, is asked to log in, and finds the prompt still open.
  const mayAsk = prompt.isActive && (prompt.canExecute || !user)
  const execute = () => {
    if (user) onClose()
    onExecute(prompt)
  }
  return <PromptViewDialog prompt={prompt} onClose={onClose} onExecute={mayAsk ? execute : undefined} />
}

function Editor(props: PromptDialogProps) {
  return (
    <DialogSuspense>
      <PromptDialog {...props} />
    </DialogSuspense>
  )
}

function MissingPromptDialog({ error, onClose }: { error: Error; onClose: () => void }) {
  return (
    <PlainDialog title="Prompt Not Found" className="max-w-[420px]" onClose={onClose}>
      <ErrorState title="It was deleted, or it is not shared with you" error={error} className="py-4" />
    </PlainDialog>
  )
}

interface PromptViewDialogProps {
  prompt: Prompt
  onExecute?: (() => void) | undefined
  onClose: () => void
}

function PromptViewDialog({ prompt, onExecute, onClose }: PromptViewDialogProps) {
  return (
    <PlainDialog
      title={prompt.title}
      description={
        <>
          {prompt.category} · by {prompt.owner} · Updated <RelativeTime time={prompt.updatedAt} />
        </>
      }
      footer={
        <>
          <CopyButton text={prompt.content} showLabel variant="secondary" size="md" onCopied={toastCopied} />
          {onExecute && (
            <Button onClick={onExecute}>
              <PlayIcon />
              Execute with AI
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      <div className="rounded-control border border-line bg-inset p-3">
        <TemplateText text={prompt.content} className="text-text" />
      </div>
      {prompt.tags.length > 0 && (
        <div className="flex flex-wrap gap-[5px]">
          {prompt.tags.map((tag) => (
            <TagChip key={tag.id} tag={tag} />
          ))}
        </div>
      )}
    </PlainDialog>
  )
}
