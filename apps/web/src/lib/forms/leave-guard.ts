import { useEffect, useEffectEvent } from 'react'
import type { AroundNavHandler } from 'wouter'

type Guard = (leave: () => void) => void

let guard: Guard | null = null

/** Every way through the app to another page; the browser's own Back can't usefully be asked. */
export const guardedNavigation: AroundNavHandler = (navigate, to, options) => {
  const leave = () => navigate(to, options)
  if (guard && pathOf(to) !== window.location.pathname) guard(leave)
  else leave()
}

export function useLeaveGuard({ isActive, onLeave }: { isActive: boolean; onLeave: Guard }): void {
  const ask = useEffectEvent(onLeave)
  useEffect(() => {
    if (!isActive) return
    const own: Guard = (leave) => ask(leave)
    guard = own
    return () => {
      if (guard === own) guard = null
    }
  }, [isActive])
}

/** Leaves without asking, as what is unsaved goes along or is given up. */
export function withoutGuard(leave: () => void): void {
  guard = null
  leave()
}

function pathOf(address: string): string {
  return new URL(address, window.location.href).pathname
}
