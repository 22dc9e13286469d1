import { lazy, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PromptNotFound } from '../../features/executions/prompt-not-found.tsx'
import { ApiError } from '../../lib/errors.ts'
import { PromptExecution } from '../dialogs/prompt-execution.tsx'
import { PageSpinner } from './page-spinner.tsx'

const ExecutePage = lazy(() => import('../../features/executions/execute-page.tsx'))
const VersionsDialog = lazy(() => import('../../features/prompts/versions-dialog.tsx'))

/** The page that runs one prompt. */
export default function ExecuteRoute() {
  const { id = '' } = useParams<{ id: string }>()
  const [, navigate] = useLocation()
  const [showsVersions, setShowsVersions] = useState(false)
  const goBack = () => (window.history.length > 1 ? window.history.back() : navigate('/'))
  const notFound = (
    <>
      <PageHeader title="Execute Prompt" />
      <PromptNotFound onBack={goBack} />
    </>
  )
  if (!/^[1-9]\d{0,9}$/.test(id)) return notFound
  return (
    <PromptExecution
      key={id}
      id={Number(id)}
      renderPending={() => <PageSpinner />}
      renderError={(error) => {
        const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400)
        return isGone ? (
          notFound
        ) : (
          <>
            <PageHeader title="Execute Prompt" />
            <ErrorState
              title="The prompt could not be loaded"
              error={error}
              onRetry={() => window.location.reload()}
            />
          </>
        )
      }}
      render={(slots) => (
        <>
          <ExecutePage {...slots} onBack={goBack} onShowVersions={() => setShowsVersions(true)} />
          {showsVersions && (
            <DialogSuspense>
              <VersionsDialog promptId={slots.prompt.id} onClose={() => setShowsVersions(false)} />
            </DialogSuspense>
          )}
        </>
      )}
    />
  )
}
