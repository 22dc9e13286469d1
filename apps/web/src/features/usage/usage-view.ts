import { USAGE_DAYS } from '@catenary/contracts'
import { useSearchParams } from 'wouter'

/** Whose runs, and of how many days. */
export interface UsageView {
  scope: 'mine' | 'everyone'
  days: (typeof USAGE_DAYS)[number]
}

/** What the address says: `?scope=everyone&days=7`. */
export function readView(params: URLSearchParams): UsageView {
  return {
    scope: params.get('scope') === 'everyone' ? 'everyone' : 'mine',
    days: USAGE_DAYS.find((days) => days === params.get('days')) ?? '30',
  }
}

/** The same as a query, with more; what is as usual stays out of it. */
export function toQuery({ scope, days }: UsageView, more: Record<string, string> = {}): string {
  const usual = { ...(scope === 'mine' ? {} : { scope }), ...(days === '30' ? {} : { days }) }
  return String(new URLSearchParams({ ...usual, ...more }))
}

/** Where the runs behind a mark are listed. */
export function runsAddress(view: UsageView, filter: Record<string, string>): string {
  return `/usage/runs?${toQuery(view, filter)}`
}

/** What is looked at, kept in the address. */
export function useUsageView(): [UsageView, (change: Partial<UsageView>) => void] {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  return [view, (change) => setParams(new URLSearchParams(toQuery({ ...view, ...change })))]
}
