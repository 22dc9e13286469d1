import type { Prompt, User } from '@catenary/contracts'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { PromptNotFound } from '../../features/prompt-runs/prompt-not-found.tsx'
import { PromptEditorPage } from '../../features/prompts/prompt-editor-page.tsx'
import { isGone } from '../../lib/errors.ts'
import { useSession } from '../../lib/session/session.tsx'
import { PromptRunner, type RunnerSlots, RunnerVariables } from '../dialogs/prompt-runner.tsx'
import { PageSpinner } from './page-spinner.tsx'

const TrialPanel = part(() => import('../../features/prompt-runs/trial-panel.tsx'))

/** The prompt's editor as a page: `/edit/12`, or `/edit/new?category=3`. */
export default function EditorRoute() {
  const { id = '' } = useParams<{ id: string }>()
  const { user } = useSession()
  const [, navigate] = useLocation()
  const goBack = () => (window.history.length > 1 ? window.history.back() : navigate('/'))
  const notFound = (
    <>
      <PageHeader title="Edit Prompt" />
      <PromptNotFound onBack={goBack} />
    </>
  )
  if (!user) return null
  if (id === 'new') {
    return (
      <RunnerVariables renderPending={() => <PageSpinner />}>
        {(slots) => <Editor key="new" prompt={null} user={user} slots={slots} onBack={goBack} />}
      </RunnerVariables>
    )
  }
  if (!/^[1-9]\d{0,9}$/.test(id)) return notFound
  return (
    <PromptRunner
      key={id}
      id={Number(id)}
      renderPending={() => <PageSpinner />}
      renderError={(error, retry) =>
        isGone(error) ? (
          notFound
        ) : (
          <>
            <PageHeader title="Edit Prompt" />
            <ErrorState title="The prompt could not be loaded" error={error} onRetry={retry} />
          </>
        )
      }
      render={({ prompt, ...slots }) =>
        prompt.canEdit ? <Editor prompt={prompt} user={user} slots={slots} onBack={goBack} /> : notFound
      }
    />
  )
}

interface EditorProps {
  prompt: Prompt | null
  user: User
  slots: RunnerSlots
  onBack: () => void
}

function Editor({ prompt, user, slots, onBack }: EditorProps): ReactNode {
  const [, navigate] = useLocation()
  const [params, setParams] = useSearchParams()
  const category = Number(params.get('category'))
  const set = (name: string, value: string | null) =>
    setParams(
      (params) => {
        const next = new URLSearchParams(params)
        if (value === null) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return (
    <PromptEditorPage
      prompt={prompt}
      title=""
      categoryId={Number.isInteger(category) && category > 0 ? category : null}
      userId={user.id}
      onCreateVariable={slots.createVariable}
      tab={params.get('tab') === 'run' ? 'run' : 'write'}
      onTabChange={(tab) => set('tab', tab === 'run' ? 'run' : null)}
      renderRun={(trial) => (
        <Suspense fallback={<PageSpinner />}>
          <TrialPanel
            prompt={prompt}
            trial={trial}
            variables={slots.variables}
            model={params.get('model')}
            onModelChange={(model) => set('model', model)}
          />
        </Suspense>
      )}
      onSaved={({ id }) => prompt === null && navigate(`/edit/${id}`, { replace: true })}
      onShrink={() => navigate(prompt ? `/?prompt=${prompt.id}` : '/?prompt=new')}
      onClose={onBack}
    />
  )
}
