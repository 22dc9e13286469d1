import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFoundList } from '../../lib/lists.ts'
import { useRested } from '../../lib/use-rested.ts'
import { promptsByTitleQuery, promptsQuery } from './prompts.queries.ts'

const REST_MS = 150

export function useFoundPrompts() {
  const [search, setSearch] = useState('')
  const rested = useRested(search, REST_MS)
  const { data: first } = useInfiniteQuery(promptsQuery())
  const prompts = useFoundList({ first, search: rested, found: promptsByTitleQuery(rested) })
  return { prompts, isKnown: first !== undefined, setSearch }
}
