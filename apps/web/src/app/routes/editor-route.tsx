import type { Prompt, User } from '@catenary/contracts'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useParams } from 'wouter'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { PromptNotFound } from '../../features/prompt-runs/prompt-not-found.tsx'
import { PromptRunner, type RunnerSlots, RunnerVariables } from '../../features/prompt-runs/prompt-runner.tsx'
import { PromptEditorPage } from '../../features/prompts/prompt-editor-page.tsx'
import { idIn, useAddress, usePathId } from '../../lib/address.ts'
import { useSession } from '../../lib/session/session.tsx'
import { RecordFailure } from './record-failure.tsx'

const TrialPanel = part(() => import('../../features/prompt-runs/trial-panel.tsx'))

export default function EditorRoute() {
  const { id: path } = useParams<{ id: string }>()
  const id = usePathId()
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
  if (path === 'new') {
    return (
      <RunnerVariables renderPending={() => <PageSkeleton title="Create New Prompt" />}>
        {(slots) => <Editor key="new" prompt={null} user={user} slots={slots} onBack={goBack} />}
      </RunnerVariables>
    )
  }
  if (id === null) return notFound
  return (
    <PromptRunner
      key={id}
      id={id}
      renderPending={() => <PageSkeleton />}
      renderError={(error, onRetry) => (
        <RecordFailure title="Edit Prompt" noun="prompt" error={error} onRetry={onRetry} gone={notFound} />
      )}
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
  const [params, change] = useAddress()
  return (
    <PromptEditorPage
      prompt={prompt}
      title=""
      categoryId={idIn(params.get('category'))}
      userId={user.id}
      onCreateVariable={slots.createVariable}
      tab={params.get('tab') === 'run' ? 'run' : 'write'}
      onTabChange={(tab) => change({ tab: tab === 'run' ? 'run' : null }, { replace: true })}
      renderRun={(trial) => (
        <Suspense fallback={<TrialSkeleton />}>
          <TrialPanel
            prompt={prompt}
            trial={trial}
            variables={slots.variables}
            model={params.get('model')}
            onModelChange={(model) => change({ model }, { replace: true })}
          />
        </Suspense>
      )}
      onSaved={({ id }) => prompt === null && navigate(`/edit/${id}`, { replace: true })}
      onShrink={() => navigate(prompt ? `/?prompt=${prompt.id}` : '/?prompt=new')}
      onClose={onBack}
    />
  )
}

function TrialSkeleton() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-3 px-6 py-4 max-md:px-3.5">
      <Skeleton className="h-8 rounded-control" />
      <Skeleton className="h-44 rounded-card" />
    </div>
  )
}
