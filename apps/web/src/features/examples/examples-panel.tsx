import { useQuery } from '@tanstack/react-query'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ExampleContents } from './example-contents.tsx'
import { countSentence } from './example-sentences.ts'
import { examplesQuery } from './examples.queries.ts'
import { useExamples } from './use-examples.ts'

/** Creates and removes the examples, next to everything else in the library. */
export function ExamplesPanel() {
  const { data } = useQuery(examplesQuery)
  const { make, remove, isMaking, isRemoving } = useExamples()
  if (!data) return null
  const count = countSentence(data.present)
  return (
    <SettingsPanel
      title="Examples"
      description={
        count === ''
          ? 'Prompts, chains, variables and tests that run in the sandbox too.'
          : `You have ${count}. What you changed stays when they are removed.`
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
      <ExampleContents outline={data.outline} />
    </SettingsPanel>
  )
}
