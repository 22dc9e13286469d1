import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { matchesShortcut } from '../../lib/keyboard/shortcuts.ts'

/** Chooses items of a list by their places. */
export interface GridSelection {
  toggle: (index: number) => void
  /** All from the last one that was chosen to this one. */
  extendTo: (index: number) => void
  /** A tap chooses, as it opens while nothing is chosen. */
  takesTaps: boolean
}

const MOVES = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])

/** What chooses items: x, Shift with the keys that move the focus, and Shift with a click. */
export function useGridSelection(selection: GridSelection | undefined) {
  // Where the focus goes next, as far as the keys say.
  const isExtending = useRef(false)
  if (selection === undefined) return undefined
  const { toggle, extendTo, takesTaps } = selection
  return {
    onKeyDownCapture(event: KeyboardEvent<HTMLElement>) {
      const index = indexOf(event.target)
      isExtending.current = index !== null && event.shiftKey && MOVES.has(event.key)
      if (index === null) return
      if (isExtending.current) extendTo(index)
      if (!matchesShortcut({ event, id: 'select' })) return
      event.preventDefault()
      toggle(index)
    },
    onFocusCapture(event: { target: EventTarget }) {
      const index = indexOf(event.target)
      if (!isExtending.current || index === null) return
      isExtending.current = false
      extendTo(index)
    },
    onMouseDownCapture(event: MouseEvent<HTMLElement>) {
      // Or the browser would mark the texts in between.
      if (isRange(event) && indexOf(event.target) !== null) event.preventDefault()
    },
    onClickCapture(event: MouseEvent<HTMLElement>) {
      const index = indexOf(event.target)
      const isTap = takesTaps && event.detail > 0 && !event.ctrlKey && !event.metaKey && !event.altKey
      if (index === null || !(isRange(event) || isTap)) return
      event.preventDefault()
      event.stopPropagation()
      if (isRange(event)) extendTo(index)
      else toggle(index)
    },
  }
}

const isRange = ({ shiftKey, ctrlKey, metaKey, altKey }: MouseEvent): boolean =>
  shiftKey && !ctrlKey && !metaKey && !altKey

/** The place of the item whose own link that is; null elsewhere. */
function indexOf(target: EventTarget): number | null {
  if (!(target instanceof Element) || target.closest('[data-grid-focus]') === null) return null
  const index = target.closest<HTMLElement>('[data-grid-index]')?.dataset.gridIndex
  return index === undefined ? null : Number(index)
}
