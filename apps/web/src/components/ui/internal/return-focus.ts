import { useCallback, useState } from 'react'

const openers = new WeakMap<Element, HTMLElement[]>()
/** Those of a layer that closes in this very turn: a layer that replaces it inherits them. */
let left: HTMLElement[] = []

/**
 * Returns the focus at once when a dialog, menu or list closes. Radix waits for its last frame and then for a turn of
 * the event loop, in which keys are lost; and it returns the focus to a trigger only, which most don't have.
 */
export function useReturnFocus({
  onCloseAutoFocus,
}: {
  onCloseAutoFocus?: ((event: Event) => void) | undefined
}) {
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    setLayer(element)
    return element ? watch(element) : undefined
  }, [])
  return {
    layer,
    focus: {
      ref,
      onCloseAutoFocus(event: Event) {
        onCloseAutoFocus?.(event)
        if (giveBack(event.currentTarget as HTMLElement)) event.preventDefault()
      },
    },
  }
}

function watch(layer: HTMLElement): () => void {
  openers.set(layer, openersOf(layer))
  const closing = new MutationObserver(() => layer.dataset.state === 'closed' && giveBack(layer))
  closing.observe(layer, { attributeFilter: ['data-state'] })
  return () => {
    closing.disconnect()
    if (!layer.contains(document.activeElement)) return
    left = openers.get(layer) ?? []
    // React is still taking the layer away.
    queueMicrotask(() => {
      left = []
      giveBack(layer)
    })
  }
}

function openersOf(layer: HTMLElement): HTMLElement[] {
  // A click opens a menu without giving its button the focus.
  const opener = document.querySelector(`[aria-controls="${layer.id}"]`) ?? document.activeElement
  if (!(opener instanceof HTMLElement) || opener === document.body) return left
  for (let around: Element | null = opener; around; around = around.parentElement) {
    const behind = openers.get(around)
    if (behind) return [opener, ...behind]
  }
  return [opener]
}

function giveBack(layer: HTMLElement): boolean {
  const waiting = openers.get(layer) ?? []
  return !isLost({ layer, waiting }) || waiting.some(takesFocus)
}

/** Radix puts the focus on a dialog's box when what had it is taken out of the dialog. */
function isLost({ layer, waiting }: { layer: HTMLElement; waiting: HTMLElement[] }): boolean {
  const active = document.activeElement
  if (active === null || active === document.body || layer.contains(active)) return true
  return openers.has(active) && waiting.some((opener) => opener !== active && active.contains(opener))
}

function takesFocus(opener: HTMLElement): boolean {
  opener.focus()
  if (document.activeElement !== opener) return false
  followGone(opener)
  return true
}

/** What opened a layer may go once its list has come, such as the button of an empty page: the page has the focus then. */
function followGone(opener: HTMLElement): void {
  const changes = new MutationObserver(() => {
    if (opener.isConnected && document.activeElement === opener) return
    changes.disconnect()
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
  })
  changes.observe(document.body, { childList: true, subtree: true })
}
