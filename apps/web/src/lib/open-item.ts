import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

export type OpenItem = { kind: 'create' } | { kind: 'open'; id: number } | null

/** The run that is being saved as a test, wherever its viewer stands. */
export const TESTED_RUN = 'save-test'

/** Which item's dialog is open; kept in the address, as in `?prompt=12` or `?prompt=new`. */
export function useOpenItem(parameter: string) {
  const [params, setParams] = useSearchParams()
  const value = params.get(parameter)
  const open = useMemo(() => parse(value), [value])
  const show = useCallback(
    (next: OpenItem) =>
      setParams((params) => {
        const changed = new URLSearchParams(params)
        if (next === null) changed.delete(parameter)
        else changed.set(parameter, next.kind === 'create' ? 'new' : String(next.id))
        return changed
      }),
    [parameter, setParams],
  )
  return { open, show }
}

function parse(value: string | null): OpenItem {
  if (value === 'new') return { kind: 'create' }
  const id = Number(value)
  return Number.isInteger(id) && id > 0 ? { kind: 'open', id } : null
}
