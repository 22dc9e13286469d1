import { createContext, useContext } from 'react'

/** The landmark or dialog that menus, lists and hints become part of; outside of both they would belong to nothing. */
export const FloatingLayer = createContext<HTMLElement | null>(null)

export function useFloatingLayer(): { container?: HTMLElement } {
  const container = useContext(FloatingLayer)
  return container ? { container } : {}
}
