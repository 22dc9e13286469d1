import { toast } from '../../lib/toast.ts'
import { countSentence, keptSentence } from './example-sentences.ts'
import { useMakeExamples, useRemoveExamples } from './examples.queries.ts'

/** Long enough to read what stays and why. */
const READING_MS = 12_000

export function useExamples() {
  const making = useMakeExamples()
  const removing = useRemoveExamples()
  const make = () =>
    making.mutate(undefined, {
      onSuccess: ({ present, takenNames }) => {
        const own = takenNames.map((name) => `$<${name}>`).join(', ')
        const uses = own === '' ? '' : ` They use the variables you already have: ${own}.`
        toast({ title: 'Examples added', description: `${countSentence(present)}.${uses}` })
      },
    })
  const remove = () =>
    removing.mutate(undefined, {
      onSuccess: ({ removed, kept }) => {
        const count = countSentence(removed)
        const stays = keptSentence(kept)
        toast({
          title: count === '' ? 'Nothing was removed' : 'Examples removed',
          description: [...(count === '' ? [] : [`${count}.`]), ...(stays === undefined ? [] : [stays])].join(
            ' ',
          ),
          duration: READING_MS,
          action: { label: 'Bring back', onPress: make },
        })
      },
    })
  return { make, remove, isMaking: making.isPending, isRemoving: removing.isPending }
}
