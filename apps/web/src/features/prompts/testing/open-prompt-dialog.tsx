import type { Prompt, Tag } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { type Ref, useImperativeHandle } from 'react'
import { Toaster } from '../../../components/toaster.tsx'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import type { TagInputHandle } from '../../shared/tags/tag-input-slot.ts'
import { PromptDialog } from '../prompt-dialog.tsx'

/** What the tags input gives on submit: its tags and the one that was typed but not added. */
const pendingTag: Tag = { id: 9, name: 'typed' }

function FakeTags({ value, ref }: { value: readonly Tag[]; ref: Ref<TagInputHandle> }) {
  useImperativeHandle(ref, () => ({ flush: async () => [...value, pendingTag] }))
  return null
}

/** Shows the dialog with its editor, and gives its element. */
export async function openPromptDialog({
  prompt,
  onClose,
}: {
  prompt: Prompt | null
  onClose: () => void
}): Promise<HTMLElement> {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <PromptDialog
          prompt={prompt}
          title=""
          categoryId={null}
          userId={1}
          categories={[{ id: 2, name: 'Writing', count: 1 }]}
          variables={[{ name: 'brand_voice', preview: 'Warm' }]}
          onCreateVariable={() => undefined}
          onManageVariables={() => undefined}
          onGrow={() => undefined}
          renderCategoryPicker={({ onChange }) => (
            <button type="button" onClick={() => onChange(2)}>
              Choose Writing
            </button>
          )}
          renderTagInput={(props) => <FakeTags {...props} />}
          onClose={onClose}
        />
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  await screen.findByRole('textbox', { name: 'Content' }, { timeout: 10_000 })
  return screen.getByRole('dialog')
}

/** Puts text at the beginning of the dialog's content. */
export function writeContent(text: string): void {
  editorOf('Content')?.dispatch({ changes: { from: 0, insert: text } })
}

/** What the dialog's content is. */
export function readContent(): string | undefined {
  return editorOf('Content')?.state.doc.toString()
}

function editorOf(name: string): EditorView | null {
  return EditorView.findFromDOM(screen.getByRole('textbox', { name, hidden: true }))
}
