import { useCallback } from 'react'
import { useParams, useSearchParams } from 'wouter'

/** Parameters by their names: what is empty or null leaves the address, what is undefined stays as it is. */
export type AddressChange = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

export function withChange(params: URLSearchParams, change: AddressChange): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    const [first = '', ...more] = [value ?? ''].flat().map(String)
    if (first === '') next.delete(name)
    else next.set(name, first)
    for (const each of more) next.append(name, each)
  }
  return next
}

export function useAddress() {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (change: AddressChange | ((params: URLSearchParams) => AddressChange), options?: { replace: boolean }) =>
      setParams(
        (params) => withChange(params, typeof change === 'function' ? change(params) : change),
        options,
      ),
    [setParams],
  )
  return [params, change] as const
}

export function idIn(value: string | null): number | null {
  const id = Number(value)
  return Number.isInteger(id) && id > 0 ? id : null
}

/** The id in a page's path; null where what stands there can be none. */
export function usePathId(): number | null {
  const { id = '' } = useParams<{ id: string }>()
  return /^[1-9]\d{0,9}$/.test(id) ? Number(id) : null
}

export function idsIn(value: string | null): number[] {
  return (value ?? '').split(',').flatMap((each) => idIn(each) ?? [])
}
