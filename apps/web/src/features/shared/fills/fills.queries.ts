import { type FindFillsRequest, foundFills } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { write } from '../../../lib/api-client.ts'

/** What those records would be filled with of the person's private values, by their texts as they are now. */
export function foundFillsQuery(reach: FindFillsRequest) {
  return queryOptions({
    queryKey: ['fills', reach],
    queryFn: () => write({ method: 'POST', path: '/api/private-names', body: reach, schema: foundFills }),
    staleTime: 0,
  })
}
