import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/ui/button.tsx'
import { countSentence } from './example-sentences.ts'
import { examplesQuery } from './examples.queries.ts'
import { useExamples } from './use-examples.ts'

interface ExamplesLineProps {
  isNewcomer: boolean
}

export function ExamplesLine({ isNewcomer }: ExamplesLineProps) {
  const { data } = useQuery(examplesQuery)
  const { make, remove, isMaking, isRemoving } = useExamples()
  const count = data ? countSentence(data.present) : ''
  if (!data || (count === '' && !isNewcomer)) return null
  return (
    <p className="flex shrink-0 items-center gap-2 px-6 pb-2.5 text-sm text-text-3 max-md:px-3.5">
      <span className="min-w-0 truncate">{count === '' ? 'New here?' : `Examples: ${count}`}</span>
      {count === '' ? (
        <Button variant="link" size="sm" pending={isMaking} onClick={make}>
          Start with examples
        </Button>
      ) : (
        <Button variant="link" size="sm" pending={isRemoving} onClick={remove}>
          Remove examples
        </Button>
      )}
    </p>
  )
}
