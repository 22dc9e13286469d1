import type { ListedPrompt } from '@catenary/contracts'
import { useMemo, useState } from 'react'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { toast } from '../../lib/toast.ts'
import { useAuthGate } from '../accounts/auth-gate.tsx'
import type { PromptActions } from './prompt-actions.ts'
import { useDuplicatePrompt } from './prompts.queries.ts'

/** What the library can do, and which of it is under way; a guest is asked to log in. */
export function usePromptActions(onExecute: (prompt: ListedPrompt) => void) {
  const guard = useAuthGate()
  const { open, show } = useOpenItem('prompt')
  const [deleting, setDeleting] = useState<ListedPrompt | null>(null)
  const [sharing, setSharing] = useState<ListedPrompt | null>(null)
  const [serving, setServing] = useState<ListedPrompt | null>(null)
  const { mutateAsync: duplicate } = useDuplicatePrompt()
  const actions = useMemo(
    (): PromptActions => ({
      open: ({ id }) => show({ kind: 'open', id }),
      edit: ({ id, canEdit }) => guard(() => canEdit && show({ kind: 'open', id })),
      remove: (prompt) => guard(() => prompt.canDelete && setDeleting(prompt)),
      duplicate: (prompt) =>
        guard(() => {
          const onCopied = (copy: ListedPrompt) =>
            toast({
              title: 'Prompt duplicated',
              description: `“${copy.title}” is yours and private.`,
              action: { label: 'Open', onPress: () => show({ kind: 'open', id: copy.id }) },
            })
          // The query client tells of a failure.
          void duplicate(prompt.id).then(onCopied, () => undefined)
        }),
      share: (prompt) => guard(() => setSharing(prompt)),
      serve: (prompt) => guard(() => prompt.canEdit && setServing(prompt)),
      execute: (prompt) => guard(() => onExecute(prompt)),
    }),
    [guard, show, duplicate, onExecute],
  )
  const create = () => guard(() => show({ kind: 'create' }))
  useShortcut({ id: 'create', onPress: create })
  return {
    actions,
    create,
    open,
    closeOpen: () => show(null),
    deleting,
    closeDeleting: () => setDeleting(null),
    sharing,
    closeSharing: () => setSharing(null),
    serving,
    closeServing: () => setServing(null),
  }
}
