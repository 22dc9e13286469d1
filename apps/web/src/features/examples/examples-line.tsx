import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/ui/button.tsx'
import { countSentence } from './example-sentences.ts'
import { examplesQuery } from './examples.queries.ts'
import { useExamples } from './use-examples.ts'

/** Stands quietly in the library while examples are there. */
export function ExamplesLine() {
  const { data } = useQuery(examplesQuery)
  const { remove, isRemoving } = useExamples()
  const count = data ? countSentence(data.present) : ''
  if (count === '') return null
  return (
    <p className="flex shrink-0 items-center gap-2 px-6 pb-2.5 text-sm text-text-3 max-md:px-3.5">
      <span className="min-w-0 truncate">Examples: {count}</span>
      <Button variant="link" size="sm" pending={isRemoving} onClick={remove}>
        Remove examples
      </Button>
    </p>
  )
}
