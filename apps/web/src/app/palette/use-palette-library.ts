import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { chainsQuery } from '../../features/chains/chains.queries.ts'
import { promptsByTitleQuery, promptsQuery } from '../../features/prompts/prompts.queries.ts'
import { variablesQuery } from '../../features/variables/variables.queries.ts'
import { useFoundList } from '../../lib/lists.ts'
import { useRested } from '../../lib/use-rested.ts'
import { chainEntries, promptEntries, variableEntries } from './palette-destinations.ts'

/** Rest after the last key before the server is asked. */
const REST_MS = 150

/** Prompts, variables and chains made ready to be searched: the first of each, and of a longer list what fits the text. */
export function usePaletteLibrary(query: string) {
  const search = nameIn(useRested(query, REST_MS))
  const first = {
    prompts: useInfiniteQuery(promptsQuery()),
    variables: useInfiniteQuery(variablesQuery()),
    chains: useInfiniteQuery(chainsQuery()),
  }
  const prompts = useFoundList({ first: first.prompts.data, search, found: promptsByTitleQuery(search) })
  const variables = useFoundList({
    first: first.variables.data,
    search,
    found: variablesQuery({ search, tagIds: [] }),
  })
  const chains = useFoundList({
    first: first.chains.data,
    search,
    found: chainsQuery({ search, tagIds: [], visibility: null, ownership: 'all' }),
  })
  const isPending = Object.values(first).some(({ isPending }) => isPending)
  const library = useMemo(
    () =>
      isPending
        ? null
        : {
            prompts: promptEntries(prompts),
            variables: variableEntries(variables),
            chains: chainEntries(chains),
          },
    [isPending, prompts, variables, chains],
  )
  return { library, isPending }
}

/** The part of the typed text that is a name: verbs may precede it. */
function nameIn(text: string): string {
  return text.trim().replace(/^(execute|scheduled( runs?)?|run):?\s+/i, '')
}
