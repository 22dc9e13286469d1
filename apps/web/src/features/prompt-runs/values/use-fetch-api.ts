import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { fetchApi, variableContentQuery } from '../prompt-runs.queries.ts'
import type { FetchedFrom } from '../run-form.ts'

export function useFetchApi() {
  const queryClient = useQueryClient()
  return useCallback(
    async ({ name, ...from }: FetchedFrom & { name: string }): Promise<boolean> => {
      const { queryKey } = variableContentQuery(name)
      try {
        const { content } = await fetchApi(from)
        queryClient.setQueryData(queryKey, { content })
        toast({
          title: 'Variable Content Fetched',
          description: `Successfully fetched content for ${name}`,
        })
        return true
      } catch (error) {
        const reason = errorReason(error)
        queryClient.setQueryData(queryKey, { error: reason })
        const description = `Failed to fetch variable content: ${reason}`
        toast({ title: 'Error', description, variant: 'destructive' })
        return false
      }
    },
    [queryClient],
  )
}
