import { useCallback, useMemo } from 'react'
import { idIn, useAddress } from './address.ts'

export type OpenItem = { kind: 'create' } | { kind: 'open'; id: number } | null

export const TESTED_RUN = 'save-test'

export function useOpenItem(parameter: string) {
  const [params, change] = useAddress()
  const value = params.get(parameter)
  const open = useMemo(() => parse(value), [value])
  const show = useCallback(
    (next: OpenItem) => change({ [parameter]: next?.kind === 'create' ? 'new' : (next?.id ?? null) }),
    [parameter, change],
  )
  return { open, show }
}

function parse(value: string | null): OpenItem {
  if (value === 'new') return { kind: 'create' }
  const id = idIn(value)
  return id === null ? null : { kind: 'open', id }
}
