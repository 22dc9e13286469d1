import type { ModelAlias, Prompt } from '@catenary/contracts'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { part } from '../../components/part.tsx'
import { schemaOf } from '../../features/model-settings/schema-of.ts'
import { PromptNotFound } from '../../features/prompt-runs/prompt-not-found.tsx'
import { PromptRunner } from '../../features/prompt-runs/prompt-runner.tsx'
import { useSaveText } from '../../features/prompts/prompts.queries.ts'
import { usePathId } from '../../lib/address.ts'
import { useSession } from '../../lib/session/session.tsx'
import { RecordFailure } from './record-failure.tsx'

const ExecutePage = part(() => import('../../features/prompt-runs/execute-page.tsx'))
const EvaluationsDialog = part(() => import('../../features/evaluations/evaluations-dialog.tsx'))
const PromptDialog = part(() => import('../../features/prompts/prompt-dialog.tsx'))
const UseInChainDialog = part(() => import('../../features/chains/use-in-chain-dialog.tsx'))
const SaveTestDialog = part(() => import('../../features/test-suites/save-test-dialog.tsx'))
const VersionsDialog = part(() => import('../../features/prompts/versions/versions-dialog.tsx'))

export default function ExecuteRoute() {
  const id = usePathId()
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<PageDialog>(null)
  const { mutateAsync: saveText } = useSaveText()
  const goBack = () => (window.history.length > 1 ? window.history.back() : navigate('/'))
  const notFound = (
    <>
      <PageHeader title="Execute Prompt" />
      <PromptNotFound onBack={goBack} />
    </>
  )
  if (id === null) return notFound
  return (
    <PromptRunner
      key={id}
      id={id}
      renderPending={(prompt) => <PageSkeleton title={prompt?.title} />}
      renderError={(error, onRetry) => (
        <RecordFailure title="Execute Prompt" noun="prompt" error={error} onRetry={onRetry} gone={notFound} />
      )}
      render={(slots) => (
        <>
          <ExecutePage
            {...slots}
            onBack={goBack}
            onSave={(body) => saveText({ id: slots.prompt.id, body })}
            onEdit={() => setDialog({ kind: 'edit' })}
            onShowVersions={() => setDialog({ kind: 'versions' })}
            onUseInChain={(model) => setDialog({ kind: 'chain', model })}
            onEvaluate={() => setDialog({ kind: 'evaluations' })}
            onShowTests={() => navigate(`/prompts/${slots.prompt.id}/tests`)}
            onSaveTest={
              slots.prompt.canEdit ? (executionId) => setDialog({ kind: 'test', executionId }) : undefined
            }
          />
          <PageDialogs prompt={slots.prompt} dialog={dialog} onClose={() => setDialog(null)} />
        </>
      )}
    />
  )
}

type PageDialog =
  | { kind: 'edit' }
  | { kind: 'versions' }
  | { kind: 'evaluations' }
  | { kind: 'chain'; model: ModelAlias }
  | { kind: 'test'; executionId: number }
  | null

function PageDialogs({
  prompt,
  dialog,
  onClose,
}: {
  prompt: Prompt
  dialog: PageDialog
  onClose: () => void
}) {
  const { user } = useSession()
  const [, navigate] = useLocation()
  if (!dialog || !user) return null
  return (
    <DialogSuspense>
      {dialog.kind === 'edit' && (
        <PromptDialog prompt={prompt} categoryId={null} userId={user.id} onClose={onClose} />
      )}
      {dialog.kind === 'versions' && <VersionsDialog prompt={prompt} onClose={onClose} />}
      {dialog.kind === 'evaluations' && (
        <EvaluationsDialog record={{ kind: 'prompt', id: prompt.id, name: prompt.title }} onClose={onClose} />
      )}
      {dialog.kind === 'chain' && (
        <UseInChainDialog
          prompt={prompt}
          model={dialog.model}
          onShowChain={(id) => navigate(`/chains/${id}`)}
          onClose={onClose}
        />
      )}
      {dialog.kind === 'test' && (
        <SaveTestDialog
          record={{ kind: 'prompt', id: prompt.id }}
          executionId={dialog.executionId}
          schema={schemaOf(prompt)}
          onShow={(suiteId) => navigate(`/prompts/${prompt.id}/tests?suite=${suiteId}`)}
          onClose={onClose}
        />
      )}
    </DialogSuspense>
  )
}
