import { type FindFillsRequest, foundFills } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** What those records would be filled with of the person's private values, by their texts as they are now. */
export function foundFillsQuery(reach: FindFillsRequest) {
  return queryOptions({
    queryKey: ['fills', reach],
    queryFn: () => api('POST /api/private-names', { body: reach, reply: foundFills }),
    staleTime: 0,
  })
}
