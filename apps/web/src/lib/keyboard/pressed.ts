interface Press {
  key: string
  keyCode: number
  ctrlKey: boolean
  metaKey: boolean
  isComposing?: boolean
  nativeEvent?: Pick<KeyboardEvent, 'isComposing'>
}

/** What browsers call each key that an input method takes. */
const TAKEN = 229

/** Whether the key belongs to a character that is being written. Safari ends one before the Enter that ended it. */
export function isComposing(event: Press): boolean {
  return (event.isComposing ?? event.nativeEvent?.isComposing) === true || event.keyCode === TAKEN
}

export function isComposedEnter(event: Press): boolean {
  return event.key === 'Enter' && isComposing(event)
}

/** Enter, as an act of its own: not the end of a composition, nor a part of Ctrl or ⌘ Enter. */
export function isEnter(event: Press): boolean {
  return event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !isComposing(event)
}

export function isEscape(event: Press): boolean {
  return event.key === 'Escape' && !isComposing(event)
}

/** Keeps what an input method takes from dialogs, menus and lists, which would close or choose by it. */
export function keepCompositions(): void {
  const keep = (event: KeyboardEvent) => {
    const isEditor = event.target instanceof Element && event.target.closest('.cm-editor') !== null
    if (isComposing(event) && !isEditor) event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', keep, { capture: true })
}
