import type { ListedPrompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { categoriesQuery } from '../../features/categories/categories.queries.ts'
import type { LibraryExample } from '../../features/prompts/library-empty.tsx'
import { LibraryPage } from '../../features/prompts/library-page.tsx'
import { tagsQuery } from '../../features/tags/tags.queries.ts'
import { useSession } from '../../lib/session.tsx'
import { useLibraryExample } from './use-library-example.ts'
import { useOpenExecution } from './use-open-execution.ts'

const PromptEditorDialog = part(() => import('../dialogs/prompt-editor-dialog.tsx'))
const ExecutePromptDialog = part(() => import('../dialogs/execute-prompt-dialog.tsx'))

/** The prompt library. */
export default function LibraryRoute() {
  const { user } = useSession()
  const { openId, show } = useOpenExecution()
  const [lastOpened, setLastOpened] = useState<ListedPrompt | null>(null)
  const [startedId, setStartedId] = useState<number | null>(null)
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: tags = [] } = useQuery(tagsQuery('prompt'))
  const execute = useCallback(
    (prompt: ListedPrompt) => {
      setLastOpened(prompt)
      show(prompt.id)
    },
    [show],
  )
  const makeExample = useLibraryExample(user)
  const tryExample = async (example: LibraryExample) => {
    const prompt = await makeExample(example)
    setStartedId(prompt.id)
    execute(prompt)
  }
  const closeExecution = useCallback(() => show(null), [show])
  return (
    <>
      <LibraryPage
        categories={categories}
        tags={tags}
        onExecute={execute}
        onTryExample={tryExample}
        renderEditor={(props) => (
          <DialogSuspense>
            <PromptEditorDialog {...props} />
          </DialogSuspense>
        )}
      />
      {user && openId !== null && (
        <DialogSuspense>
          <ExecutePromptDialog
            key={openId}
            id={openId}
            known={lastOpened?.id === openId ? lastOpened : undefined}
            startsAtOnce={openId === startedId}
            onClose={closeExecution}
          />
        </DialogSuspense>
      )}
    </>
  )
}
