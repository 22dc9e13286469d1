import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { allVariablesQuery } from './variables.queries.ts'

/** Those of the names, in lower case, that mean a private variable of the person; none until the library is known. */
export function useOwnPrivateNames(names: readonly string[]): string[] {
  const { user } = useSession()
  const { data: variables } = useQuery({ ...allVariablesQuery, enabled: names.length > 0 })
  const username = user?.username
  return useMemo(() => {
    const own = (variables ?? []).filter(({ owner, isPublic }) => owner === username && !isPublic)
    const held = new Set(own.map(({ name }) => name.toLowerCase()))
    return [...new Set(names)].filter((name) => held.has(name))
  }, [names, variables, username])
}
