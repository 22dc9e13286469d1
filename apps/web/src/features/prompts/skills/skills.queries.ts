import { promptFetch, type SkillPart, skill } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../../lib/api-client.ts'
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
        return await read({ path: `/api/prompts/${promptId}/skill`, schema: skill, signal })
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
    queryFn: ({ signal }) =>
      read({
        path: `/api/prompts/${promptId}/fetches?limit=${FETCHES_SHOWN}`,
        schema: z.array(promptFetch),
        signal,
      }),
    staleTime: 0,
  })
}

/** Serves a prompt as a skill; null ends that. The caller tells the person about a failure. */
export function useSaveSkill() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, skill }: { id: number; skill: { description: string; parts: SkillPart[] } | null }) =>
      skill === null
        ? write({ method: 'DELETE', path: `/api/prompts/${id}/skill` })
        : write({ method: 'PUT', path: `/api/prompts/${id}/skill`, body: skill }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
