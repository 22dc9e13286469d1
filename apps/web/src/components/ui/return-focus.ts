import { useRef } from 'react'

interface FocusHandlers {
  onOpenAutoFocus?: ((event: Event) => void) | undefined
  onCloseAutoFocus?: ((event: Event) => void) | undefined
}

/** Gives the focus back to where it was: Radix returns it to a dialog's trigger only, and most have none. */
export function useReturnFocus({ onOpenAutoFocus, onCloseAutoFocus }: FocusHandlers) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = document.activeElement
      onOpenAutoFocus?.(event)
    },
    onCloseAutoFocus(event: Event) {
      onCloseAutoFocus?.(event)
      const target = opener.current
      if (event.defaultPrevented || !(target instanceof HTMLElement) || !target.isConnected) return
      event.preventDefault()
      target.focus()
    },
  }
}
