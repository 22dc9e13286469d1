import { useSearchParams } from 'wouter'

export interface RunsInAddress {
  isHistoryOpen: boolean
  showHistory: (isOpen: boolean) => void
  /** None, the first of two, or both. */
  compared: readonly number[]
  compare: (ids: readonly number[]) => void
}

/** Which runs of a chain are open: the history as `?history=open`, runs to compare as `?compare=12,15`. */
export function useRunsInAddress(): RunsInAddress {
  const [params, setParams] = useSearchParams()
  const change = (name: string, value: string | null) =>
    setParams((params) => {
      const next = new URLSearchParams(params)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  const compared = (params.get('compare') ?? '').split(',').map(Number)
  const ids = [...new Set(compared)].filter((id) => Number.isInteger(id) && id > 0)
  return {
    isHistoryOpen: params.get('history') === 'open',
    showHistory: (isOpen) => change('history', isOpen ? 'open' : null),
    compared: ids.slice(0, 2),
    compare: (ids) => change('compare', ids.length === 0 ? null : ids.join(',')),
  }
}
