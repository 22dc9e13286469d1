import type { ExamplesState } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../components/error-state.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { ExampleContents } from './example-contents.tsx'
import { countSentence } from './example-sentences.ts'
import { examplesQuery } from './examples.queries.ts'
import { useExamples } from './use-examples.ts'

export default function ExamplesPanel() {
  const { data, error, refetch } = useQuery(examplesQuery)
  if (data) return <Examples examples={data} />
  return (
    <SettingsPanel title="Examples">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-40" />
      )}
    </SettingsPanel>
  )
}

function Examples({ examples: { outline, present } }: { examples: ExamplesState }) {
  const { make, remove, isMaking, isRemoving } = useExamples()
  const count = countSentence(present)
  return (
    <SettingsPanel
      title="Examples"
      description={
        count === ''
          ? 'Prompts, chains, variables and tests that run in the sandbox too.'
          : `You have ${count}. What you changed stays when you remove them.`
      }
      action={
        count === '' ? (
          <Button pending={isMaking} onClick={make}>
            Start with examples
          </Button>
        ) : (
          <Button variant="secondary" pending={isRemoving} onClick={remove}>
            Remove examples
          </Button>
        )
      }
    >
      <h2 className="text-sm font-medium">What’s in them</h2>
      <ExampleContents outline={outline} />
    </SettingsPanel>
  )
}
