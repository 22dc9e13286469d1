import { toolSteps } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../../lib/api.ts'

const toolStepsQuery = queryOptions({
  queryKey: ['tool-steps'],
  queryFn: ({ signal }) => api('GET /api/tool-steps', { reply: toolSteps, signal }),
})

/** Whether the person may save steps that call services; as long as it is not known, the server says so. */
export const useMaySaveTools = (): boolean => useQuery(toolStepsQuery).data?.maySave ?? true
