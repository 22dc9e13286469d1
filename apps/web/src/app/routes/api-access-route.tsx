import { useQuery } from '@tanstack/react-query'

import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { promptQuery } from '../../features/shared/prompts/prompts.queries.ts'
import { PromptApiAccess } from '../../features/tokens/read/prompt-api-access.tsx'
import { readTokensQuery } from '../../features/tokens/tokens.queries.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useOpenItem } from '../../lib/open-item.ts'
import { useSession } from '../../lib/session/session.tsx'

const ReadTokenEditorDialog = part(() => import('../dialogs/read-token-editor-dialog.tsx'))

/** How code fetches and runs prompts; `?prompt=5` shows the names and examples of that one, else of the first. */
export default function ApiAccessRoute() {
  useDocumentTitle('API Access')
  const { user } = useSession()
  const { open, show } = useOpenItem('prompt')
  const { data: tokens } = useQuery(readTokensQuery)
  const reached = tokens?.flatMap(({ prompts }) => prompts)[0]
  const promptId = open?.kind === 'open' ? open.id : reached?.id
  const { data: prompt = null } = useQuery({ ...promptQuery(promptId ?? 0), enabled: promptId !== undefined })
  if (!user) return null
  // Whoever comes for a prompt creates a token for it.
  const wanted = open && prompt ? [prompt] : []
  return (
    <>
      <PageHeader title="API Access" />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-5 pb-16 max-md:px-3.5 max-md:pt-3.5">
        <div className="mx-auto grid max-w-[960px] grid-cols-[minmax(0,1fr)]">
          <PromptApiAccess
            prompt={prompt}
            onChoose={(id) => show({ kind: 'open', id })}
            viewer={user.username}
            renderForm={({ token, ...slot }) => (
              <ReadTokenEditorDialog
                {...slot}
                token={token}
                known={token?.prompts ?? wanted}
                promptIds={wanted.map(({ id }) => id)}
                userId={user.id}
              />
            )}
          />
        </div>
      </div>
    </>
  )
}
