import { idsIn, useAddress } from '../../../../lib/address.ts'

export interface RunsInAddress {
  isHistoryOpen: boolean
  showHistory: (isOpen: boolean) => void
  compared: readonly number[]
  compare: (ids: readonly number[]) => void
}

/** Which runs of a chain are open: the history as `?history=open`, runs to compare as `?compare=12,15`. */
export function useRunsInAddress(): RunsInAddress {
  const [params, change] = useAddress()
  return {
    isHistoryOpen: params.get('history') === 'open',
    showHistory: (isOpen) => change({ history: isOpen ? 'open' : null }),
    compared: [...new Set(idsIn(params.get('compare')))].slice(0, 2),
    compare: (ids) => change({ compare: ids.join(',') }),
  }
}
