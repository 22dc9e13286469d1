import { USAGE_DAYS, usageRunsQuery } from '@catenary/contracts'
import type * as z from 'zod'
import { useAddress } from '../../lib/address.ts'

export interface UsageView {
  scope: 'mine' | 'everyone'
  days: (typeof USAGE_DAYS)[number]
}

export function readView(params: URLSearchParams): UsageView {
  return {
    scope: params.get('scope') === 'everyone' ? 'everyone' : 'mine',
    days: USAGE_DAYS.find((days) => days === params.get('days')) ?? '30',
  }
}

/** Which runs the address names, as `&outcome=failed` does; what is none is left out. */
export function readFilter(params: URLSearchParams) {
  const { date, outcome, reason, model, promptId, chainId, userId } = usageRunsQuery.shape
  const given = <Value>(name: string, schema: z.ZodType<Value>) =>
    schema.safeParse(params.get(name) ?? undefined).data
  return {
    date: given('date', date),
    outcome: given('outcome', outcome),
    reason: given('reason', reason),
    model: given('model', model),
    promptId: given('promptId', promptId),
    chainId: given('chainId', chainId),
    userId: given('userId', userId),
  }
}
export type UsageFilter = ReturnType<typeof readFilter>

export function queryOf<More>({ scope, days }: UsageView, more: More) {
  return { ...(scope === 'mine' ? {} : { scope }), ...(days === '30' ? {} : { days }), ...more }
}

export function toQuery(view: UsageView, more: Record<string, string> = {}): string {
  return String(new URLSearchParams(queryOf(view, more)))
}

export function runsAddress(view: UsageView, filter: Record<string, string>): string {
  return `/usage/runs?${toQuery(view, filter)}`
}

export function useUsageView(): [UsageView, (change: Partial<UsageView>) => void] {
  const [params, changeAddress] = useAddress()
  return [
    readView(params),
    ({ scope, days }) =>
      changeAddress({ scope: scope === 'mine' ? '' : scope, days: days === '30' ? '' : days }),
  ]
}
