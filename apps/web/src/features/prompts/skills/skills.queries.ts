import { promptFetch, type SkillPart, skill as skillReply } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiPage } from '../../../lib/api.ts'
import { isGone } from '../../../lib/errors.ts'

const ROOT = ['prompts', 'skill'] as const
/** Fetches that are shown below the form. */
const FETCHES_SHOWN = 5

/** As which skill a prompt is served; null: it is none. */
export function skillQuery(promptId: number) {
  return queryOptions({
    queryKey: [...ROOT, promptId],
    queryFn: async ({ signal }) => {
      try {
        return await api('GET /api/prompts/{id}/skill', {
          params: { id: promptId },
          reply: skillReply,
          signal,
        })
      } catch (error) {
        if (isGone(error)) return null
        throw error
      }
    },
  })
}

/** Who fetched which version last, for who may change the prompt. */
export function fetchesOfQuery(promptId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'fetches', promptId],
    queryFn: async ({ signal }) => {
      const { items } = await apiPage('GET /api/prompts/{id}/fetches', {
        params: { id: promptId },
        query: { limit: FETCHES_SHOWN },
        list: promptFetch,
        signal,
      })
      return items
    },
    staleTime: 0,
  })
}

/** Serves a prompt as a skill; null ends that. The caller tells the person about a failure. */
export function useSaveSkill() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, skill }: { id: number; skill: { description: string; parts: SkillPart[] } | null }) =>
      skill === null
        ? api('DELETE /api/prompts/{id}/skill', { params: { id } })
        : api('PUT /api/prompts/{id}/skill', { params: { id }, body: skill, reply: skillReply }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
