import { sealedStep } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../../lib/api.ts'
import { useRefreshingWrite } from '../../../../lib/use-refreshing-write.ts'

const ROOT = ['chains'] as const

interface StepAddress {
  chainId: number
  stepId: number
}

const paramsOf = ({ chainId, stepId }: StepAddress) => ({ id: chainId, stepId })

export const sealedStepQuery = (of: StepAddress) =>
  queryOptions({
    queryKey: [...ROOT, 'one', of.chainId, 'sealed', of.stepId],
    queryFn: ({ signal }) =>
      api('GET /api/chains/{id}/steps/{stepId}/sealed', { params: paramsOf(of), reply: sealedStep, signal }),
  })

export function useAllowCall() {
  return useRefreshingWrite(ROOT, ({ revision, ...of }: StepAddress & { revision: number }) =>
    api('POST /api/chains/{id}/steps/{stepId}/allow', {
      params: paramsOf(of),
      body: { revision },
      reply: sealedStep,
    }),
  )
}
