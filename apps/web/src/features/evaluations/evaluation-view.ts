import { useCallback, useMemo } from 'react'
import { type AddressChange, useAddress } from '../../lib/address.ts'

export const EVALUATION_SORTS = ['failures', 'difference', 'test'] as const
export type EvaluationSort = (typeof EVALUATION_SORTS)[number]

export interface EvaluationView {
  search: string
  tags: readonly string[]
  onlyRegressions: boolean
  failing: number | null
  sort: EvaluationSort
  /** Position of the pinned target; null: the one that it was started with. */
  baseline: number | null
}

function readView(params: URLSearchParams): EvaluationView {
  const numberIn = (name: string) => {
    const given = params.get(name)
    return given !== null && /^\d{1,9}$/.test(given) ? Number(given) : null
  }
  return {
    search: params.get('q') ?? '',
    tags: params.getAll('tag'),
    onlyRegressions: params.get('only') === 'regressions',
    sort: EVALUATION_SORTS.find((sort) => sort === params.get('sort')) ?? 'failures',
    failing: numberIn('failing'),
    baseline: numberIn('baseline'),
  }
}

/** Defaults leave the address. */
function inAddress(change: Partial<EvaluationView>): AddressChange {
  const { search, tags, onlyRegressions, failing, sort, baseline } = change
  return {
    q: search,
    tag: tags,
    only: onlyRegressions === false ? '' : onlyRegressions && 'regressions',
    failing,
    sort: sort === 'failures' ? '' : sort,
    baseline,
  }
}

export function useEvaluationView(): [EvaluationView, (change: Partial<EvaluationView>) => void] {
  const [params, changeAddress] = useAddress()
  const change = useCallback(
    (change: Partial<EvaluationView>) => changeAddress(inAddress(change), { replace: true }),
    [changeAddress],
  )
  const view = useMemo(() => readView(params), [params])
  return [view, change]
}
