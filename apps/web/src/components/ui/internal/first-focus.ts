/** By rank: a field that waits for a value, what a layer is opened for, any field of text. */
const WANTED = [
  '[data-wants-value]',
  '[data-first-focus]',
  ':is(textarea, input:not([type=checkbox], [type=radio], [type=file], [type=hidden])):not([aria-hidden=true])',
].map((places) => `:is(${places}):not(:disabled)`)

export function firstWanted(within: ParentNode): HTMLElement | null {
  for (const place of WANTED) {
    const found = [...within.querySelectorAll<HTMLElement>(place)].find(
      (one) => one.closest('[hidden]') === null,
    )
    if (found) return found
  }
  return null
}

export function isTouch(): boolean {
  return globalThis.matchMedia?.('(pointer: coarse)').matches === true
}

/** Gives the focus of a layer that opens to what it asks for, else to the layer itself, where Enter does nothing. */
export function focusFirstWanted(event: Event): void {
  const layer = event.currentTarget
  if (!(layer instanceof HTMLElement)) return
  event.preventDefault()
  const target = isTouch() ? layer : (firstWanted(layer) ?? layer)
  target.focus()
}
