import { type Chain, type ChainStep, type PreviewStepRequest, stepPreview } from '@catenary/contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../../lib/api.ts'

export interface PreviewOf extends PreviewStepRequest {
  chain: Pick<Chain, 'id' | 'revision'>
  step: Pick<ChainStep, 'id'>
}

/** What the step as it is saved would send; another revision of the chain may send something else. */
export function stepPreviewQuery({ chain, step, executionId, fills }: PreviewOf) {
  return queryOptions({
    queryKey: ['chains', 'preview', chain.id, step.id, chain.revision, executionId ?? null, fills],
    queryFn: ({ signal }) =>
      api('POST /api/chains/{id}/steps/{stepId}/preview', {
        params: { id: chain.id, stepId: step.id },
        body: { executionId, fills: fills && [...fills] },
        reply: stepPreview,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}
