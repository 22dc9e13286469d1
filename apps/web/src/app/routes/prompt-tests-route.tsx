import { extractVariables } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { schemaOf } from '../../features/model-settings/schema-of.ts'
import { PromptNotFound } from '../../features/prompt-runs/prompt-not-found.tsx'
import { promptQuery } from '../../features/prompts/prompts.queries.ts'
import { TestsPage } from '../../features/test-suites/tests-page.tsx'
import { usePathId } from '../../lib/address.ts'
import { RecordFailure } from './record-failure.tsx'

export default function PromptTestsRoute() {
  const id = usePathId()
  return id === null ? <NotFound /> : <PromptTests key={id} id={id} />
}

function PromptTests({ id }: { id: number }) {
  const { data: prompt, error, refetch } = useQuery(promptQuery(id))
  if (prompt === undefined) {
    if (!error) return <PageSkeleton />
    return (
      <RecordFailure
        title="Tests"
        noun="prompt"
        error={error}
        onRetry={() => void refetch()}
        gone={<NotFound />}
      />
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
