import type { Chain } from '@catenary/contracts'
import { CHAIN_NAME_MAX } from '@catenary/contracts'
import { toast } from '../../components/ui/toast.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { useCopyChain } from './chains.queries.ts'

const ENDING = ' (copy)'

/** Makes a private copy of a chain; `onDone` gets its id. */
export function useDuplicateChain(onDone: (id: number) => void) {
  const { mutate, isPending } = useCopyChain()
  const duplicate = (chain: Chain) => {
    const name = chain.name.slice(0, CHAIN_NAME_MAX - ENDING.length) + ENDING
    mutate(
      { chain, name },
      {
        onSuccess: ({ id }) => {
          toast({ title: 'Chain created', description: 'Your chain has been created successfully.' })
          onDone(id)
        },
        onError: (error) =>
          toast({ title: 'Error', description: errorMessage(error), variant: 'destructive' }),
      },
    )
  }
  return { duplicate, isPending }
}
