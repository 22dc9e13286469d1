import { extractVariables, takesInput } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ChainNotFound } from '../../features/chains/chain-loader.tsx'
import { chainQuery } from '../../features/chains/chains.queries.ts'
import { stepsAsRun } from '../../features/chains/steps/step-as-run.ts'
import { schemaOf } from '../../features/model-settings/schema-of.ts'
import { TestsPage } from '../../features/test-suites/tests-page.tsx'
import { ApiError } from '../../lib/errors.ts'

export default function ChainTestsRoute() {
  const { id = '' } = useParams<{ id: string }>()
  if (!/^[1-9]\d{0,9}$/.test(id)) return <ChainNotFound />
  return <ChainTests key={id} id={Number(id)} />
}

function ChainTests({ id }: { id: number }) {
  const { data: chain, error } = useQuery(chainQuery(id))
  if (chain === undefined) {
    if (!error) return <PageSkeleton />
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <ChainNotFound />
    return (
      <>
        <PageHeader title="Tests" />
        <ErrorState
          title="The chain could not be loaded"
          error={error}
          onRetry={() => window.location.reload()}
        />
      </>
    )
  }
  const steps = stepsAsRun(chain.steps)
  const names = [...new Set(steps.flatMap(({ content }) => extractVariables(content)))]
  return (
    <TestsPage
      record={{ kind: 'chain', id }}
      title={chain.name}
      tested={{ names, takesInput: takesInput(steps), schema: schemaOf(chain.steps.at(-1)) }}
      canEdit={chain.canEdit}
      backHref={`/chains/${id}`}
    />
  )
}
