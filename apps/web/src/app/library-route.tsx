import type { Prompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import { useLocation } from 'wouter'
import { categoriesQuery } from '../features/categories/categories.queries.ts'
import { LibraryPage } from '../features/prompts/library-page.tsx'
import { tagsQuery } from '../features/tags/tags.queries.ts'

const PromptEditorDialog = lazy(() => import('./prompt-editor-dialog.tsx'))

/** The prompt library. */
export default function LibraryRoute() {
  const [, navigate] = useLocation()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: tags = [] } = useQuery(tagsQuery('prompt'))
  const execute = useCallback(({ id }: Prompt) => navigate(`/execute/${id}`), [navigate])
  return (
    <LibraryPage
      categories={categories}
      tags={tags}
      onExecute={execute}
      renderEditor={(props) => (
        <Suspense>
          <PromptEditorDialog {...props} />
        </Suspense>
      )}
    />
  )
}
