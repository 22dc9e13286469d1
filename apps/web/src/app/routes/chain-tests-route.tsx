import { schemaOfOutput, takesInput, variablesTaken } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { ChainNotFound } from '../../features/chains/chain-loader.tsx'
import { chainQuery } from '../../features/chains/chains.queries.ts'
import { givenAnswersOf } from '../../features/chains/steps/kinds.tsx'
import { stepsAsRun } from '../../features/chains/steps/step-as-run.ts'
import { TestsPage } from '../../features/test-suites/tests-page.tsx'
import { usePathId } from '../../lib/address.ts'
import { RecordFailure } from './record-failure.tsx'

export default function ChainTestsRoute() {
  const id = usePathId()
  return id === null ? <ChainNotFound /> : <ChainTests key={id} id={id} />
}

function ChainTests({ id }: { id: number }) {
  const { data: chain, error, refetch } = useQuery(chainQuery(id))
  if (chain === undefined) {
    if (!error) return <PageSkeleton />
    return (
      <RecordFailure
        title="Tests"
        noun="chain"
        error={error}
        onRetry={() => void refetch()}
        gone={<ChainNotFound />}
      />
    )
  }
  const steps = stepsAsRun(chain.steps)
  const last = chain.steps.at(-1)
  return (
    <TestsPage
      record={{ kind: 'chain', id }}
      title={chain.name}
      tested={{
        names: variablesTaken(steps),
        takesInput: takesInput(steps),
        given: givenAnswersOf(chain.steps),
        schema: last && schemaOfOutput(last),
      }}
      canEdit={chain.canEdit}
      backHref={`/chains/${id}`}
    />
  )
}
