import { extractVariables } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { schemaOf } from '../../features/model-settings/schema-of.ts'
import { PromptNotFound } from '../../features/prompt-runs/prompt-not-found.tsx'
import { promptQuery } from '../../features/prompts/prompts.queries.ts'
import { TestsPage } from '../../features/test-suites/tests-page.tsx'
import { ApiError } from '../../lib/errors.ts'

export default function PromptTestsRoute() {
  const { id = '' } = useParams<{ id: string }>()
  if (!/^[1-9]\d{0,9}$/.test(id)) return <NotFound />
  return <PromptTests key={id} id={Number(id)} />
}

function PromptTests({ id }: { id: number }) {
  const { data: prompt, error } = useQuery(promptQuery(id))
  if (prompt === undefined) {
    if (!error) return <PageSkeleton />
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NotFound />
    return (
      <>
        <PageHeader title="Tests" />
        <ErrorState
          title="The prompt could not be loaded"
          error={error}
          onRetry={() => window.location.reload()}
        />
      </>
    )
  }
  return (
    <TestsPage
      record={{ kind: 'prompt', id }}
      title={prompt.title}
      tested={{ names: extractVariables(prompt.content), takesInput: false, schema: schemaOf(prompt) }}
      canEdit={prompt.canEdit}
      backHref={`/execute/${id}`}
    />
  )
}

function NotFound() {
  const [, navigate] = useLocation()
  return (
    <>
      <PageHeader title="Tests" />
      <PromptNotFound onBack={() => navigate('/')} />
    </>
  )
}
