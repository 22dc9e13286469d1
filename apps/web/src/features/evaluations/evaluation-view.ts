import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

/** Which part of an evaluation is shown; kept in the address. */
export interface EvaluationView {
  search: string
  tags: readonly string[]
  onlyRegressions: boolean
  /** Only cases that this version fails. */
  failing: number | null
  sort: 'test' | 'difference'
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
    sort: params.get('sort') === 'difference' ? 'difference' : 'test',
    failing: numberIn('failing'),
    baseline: numberIn('baseline'),
  }
}

function toParams({
  search,
  tags,
  onlyRegressions,
  failing,
  sort,
  baseline,
}: EvaluationView): URLSearchParams {
  const params = new URLSearchParams()
  if (search !== '') params.set('q', search)
  for (const tag of tags) params.append('tag', tag)
  if (onlyRegressions) params.set('only', 'regressions')
  if (failing !== null) params.set('failing', String(failing))
  if (sort !== 'test') params.set('sort', sort)
  if (baseline !== null) params.set('baseline', String(baseline))
  return params
}

/** The view, and the way to another one. */
export function useEvaluationView(): [EvaluationView, (change: Partial<EvaluationView>) => void] {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (change: Partial<EvaluationView>) =>
      setParams((params) => toParams({ ...readView(params), ...change }), { replace: true }),
    [setParams],
  )
  const view = useMemo(() => readView(params), [params])
  return [view, change]
}
