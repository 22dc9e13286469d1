import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { withChange } from '../lib/address.ts'

export interface Destination {
  path: string
  params?: Record<string, string>
  /** What only the next dialog needs to know, so it stays out of the address. */
  state?: unknown
}

/** Goes to a page by keyboard: the focus follows onto a new page. */
export function useGoTo(): (destination: Destination) => void {
  const [, navigate] = useLocation()
  return useCallback(
    ({ path, params = {}, state }) => {
      const isHere = window.location.pathname === path
      const search = withChange(new URLSearchParams(isHere ? window.location.search : ''), params)
      navigate(search.size > 0 ? `${path}?${search}` : path, { state })
      if (!isHere) document.querySelector<HTMLElement>('#page')?.focus()
    },
    [navigate],
  )
}
