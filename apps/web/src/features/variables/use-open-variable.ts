import { isWhole, type ListedVariable, type Variable } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import type { OpenItem } from '../../lib/open-item.ts'
import { variableQuery } from './variables.queries.ts'

/** The variable that the address names: as the list has it, or fetched where that is not the whole. */
export function useOpenVariable({
  open,
  variables,
}: {
  open: OpenItem
  /** Undefined while the list is on its way. */
  variables: readonly ListedVariable[] | undefined
}): Variable | undefined {
  const id = open?.kind === 'open' ? open.id : null
  const listed = variables?.find((variable) => variable.id === id)
  const known = listed && isWhole(listed) && !listed.apiHeadersClipped ? listed : undefined
  const { data } = useQuery({ ...variableQuery(id ?? 0), enabled: id !== null && !!variables && !known })
  return known ?? (data?.id === id ? data : undefined)
}
