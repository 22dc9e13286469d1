import type { Category, Prompt, Variable } from '@catenary/contracts'
import { EditorView } from '@codemirror/view'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { Toaster } from '../../../components/toaster.tsx'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { sessionQuery } from '../../../lib/session/session.tsx'
import { categoriesQuery } from '../../library/categories/categories.queries.ts'
import { tagsQuery } from '../../library/tags/tags.queries.ts'
import { makeVariable } from '../../variables/testing/make-variable.ts'
import { allVariablesQuery } from '../../variables/variables.queries.ts'
import PromptDialog from '../prompt-dialog.tsx'
import { signedInUser } from './stub-api.ts'

/** Shows the dialog with its editor, and gives its element. */
export async function openPromptDialog({
  prompt,
  variables = [makeVariable({ content: 'Warm' })],
  categories = [{ id: 2, name: 'Writing', count: 1 }],
  onClose,
}: {
  prompt: Prompt | null
  variables?: Variable[]
  categories?: Category[]
  onClose: () => void
}): Promise<HTMLElement> {
  const queryClient = createQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, signedInUser)
  queryClient.setQueryData(categoriesQuery.queryKey, categories)
  queryClient.setQueryData(tagsQuery('prompt').queryKey, [{ id: 9, name: 'typed' }])
  queryClient.setQueryData(allVariablesQuery.queryKey, variables)
  render(
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <PromptDialog prompt={prompt} categoryId={null} userId={1} onClose={onClose} />
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
