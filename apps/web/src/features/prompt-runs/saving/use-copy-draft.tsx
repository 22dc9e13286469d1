import { PROMPT_CONTENT_MAX, type Prompt } from '@catenary/contracts'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import * as z from 'zod'
import { DiscardDialog } from '../../../components/forms/discard-dialog.tsx'
import { DraftNotice } from '../../../components/forms/draft-notice.tsx'
import { readDraft, useDraft } from '../../../lib/forms/draft.ts'
import { useLeaveGuard, withoutGuard } from '../../../lib/forms/leave-guard.ts'
import { useSession } from '../../../lib/session/session.tsx'
import type { ExecuteState } from '../use-execute.ts'

const text = z.string().max(PROMPT_CONTENT_MAX)
const copyDraft = z.object({
  template: text,
  base: z.object({ content: text, version: z.int(), revision: z.int() }),
})

export interface CopyDraft {
  notice: ReactNode
  question: ReactNode
  onBack: () => void
}

export function useCopyDraft({ state, onBack }: { state: ExecuteState; onBack: () => void }): CopyDraft {
  const { prompt, base, form, isEdited, change, resume } = state
  const { user } = useSession()
  const key = user && `execute-copy.${user.id}.${prompt.id}`
  const [isRestored, setIsRestored] = useState(false)
  const [leaving, setLeaving] = useState<(() => void) | null>(null)
  const restore = useEffectEvent((key: string) => {
    const kept = readDraft({ key, schema: copyDraft })
    if (isEdited || kept === null || kept.template === prompt.content) return
    resume(kept)
    setIsRestored(true)
  })
  useEffect(() => {
    if (key !== null) restore(key)
  }, [key])
  const { content, version, revision } = base
  const values = { template: form.template, base: { content, version, revision } satisfies Partial<Prompt> }
  const { isKept, discard } = useDraft({ key: key ?? '', values, dirty: isEdited && key !== null })
  useLeaveGuard({ isActive: isEdited, onLeave: (leave) => setLeaving(() => leave) })
  return {
    onBack: () => (isEdited ? setLeaving(() => onBack) : onBack()),
    notice:
      isRestored && isEdited ? (
        <DraftNotice
          onDiscard={() => {
            setIsRestored(false)
            change({ template: prompt.content })
          }}
        />
      ) : (
        isEdited && (
          <p role="status" className="min-h-4 text-xs text-text-3">
            {isKept && 'Draft kept on this device'}
          </p>
        )
      ),
    question: (
      <DiscardDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onDiscard={() => {
          discard()
          if (leaving) withoutGuard(leaving)
        }}
      />
    ),
  }
}
