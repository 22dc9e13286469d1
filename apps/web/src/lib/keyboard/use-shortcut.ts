import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isComposing } from './pressed.ts'
import { isSingleKey, letterOf, matchesShortcut, type ShortcutId, stepsOf } from './shortcuts.ts'
import { areSingleKeysOn } from './single-keys.ts'

interface Handler {
  id: ShortcutId
  press: () => void
  within: RefObject<Element | null> | undefined
}

export interface ShortcutOptions {
  id: ShortcutId
  onPress: () => void
  /** What the keys are for: inside a dialog they are the dialog's, wherever in it the focus is. By default the page. */
  within?: RefObject<Element | null>
}

const SEQUENCE_MS = 1_500
const DIALOGS = '[role="dialog"], [role="alertdialog"]'
const OVERLAYS = `${DIALOGS}, [role="menu"], [role="listbox"]`
/** What is closing, and the completions of a text field, cover nothing. */
const NOT_COVERING = '[data-state="closed"], .cm-tooltip'
/** A closed select picks by letters as well. */
const FIELDS = 'input, textarea, select, [role="textbox"], [role="combobox"]'

const handlers: Handler[] = []
let firstKey: string | undefined
let forgetting: ReturnType<typeof setTimeout> | undefined

/**
 * Handles a shortcut while the component is shown; of two handlers, the later one. Silent while something covers its
 * dialog or the page and, for single keys, while someone types.
 */
export function useShortcut({ id, onPress, within }: ShortcutOptions): void {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const handler = { id, press: () => press(), within }
    if (handlers.push(handler) === 1) {
      document.addEventListener('keydown', answerHeldKeys, { capture: true })
      document.addEventListener('keydown', listen)
    }
    return () => {
      handlers.splice(handlers.indexOf(handler), 1)
      if (handlers.length > 0) return
      document.removeEventListener('keydown', answerHeldKeys, { capture: true })
      document.removeEventListener('keydown', listen)
    }
  }, [id, within])
}

export function isPageCovered(): boolean {
  return topOverlay() !== null
}

/** Keys with Ctrl or ⌘ work wherever the focus is, so they are handled before the focused element's own. */
function answerHeldKeys(event: KeyboardEvent): void {
  if (isOthers(event)) return
  const handler = handlers.findLast(
    (handler) => !isSingleKey(handler.id) && isOnTop(handler) && matchesShortcut({ event, id: handler.id }),
  )
  if (!handler) return
  firstKey = undefined
  event.preventDefault()
  event.stopPropagation()
  if (!event.repeat) handler.press()
}

function listen(event: KeyboardEvent): void {
  if (isOthers(event)) return
  const before = firstKey
  firstKey = undefined
  const handler = find({ event, before }) ?? (before && find({ event, before: undefined }))
  if (handler && !isSingleKey(handler.id)) {
    // The browser's own meaning of the keys would surprise even where the app's does nothing.
    event.preventDefault()
    return
  }
  if (isTyping(event.target)) return
  if (handler) {
    if (!isOnTop(handler)) return
    event.preventDefault()
    if (!event.repeat) handler.press()
  } else if (!isPageCovered()) remember(event)
}

function find({ event, before }: { event: KeyboardEvent; before: string | undefined }): Handler | undefined {
  return handlers.findLast(({ id }) => startOf(id) === before && matchesShortcut({ event, id }))
}

function remember(event: KeyboardEvent): void {
  clearTimeout(forgetting)
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !areSingleKeysOn()) return
  const letter = letterOf(event)
  if (letter === undefined || !handlers.some(({ id }) => startOf(id) === letter)) return
  firstKey = letter
  forgetting = setTimeout(() => {
    firstKey = undefined
  }, SEQUENCE_MS)
}

function startOf(id: ShortcutId): string | undefined {
  const [first, second] = stepsOf(id)
  return second === undefined ? undefined : first
}

/** Used up already, part of a character that is being written, or a modifier alone. */
function isOthers(event: KeyboardEvent): boolean {
  return event.defaultPrevented || isComposing(event) || MODIFIERS.has(event.key)
}

const MODIFIERS = new Set(['Shift', 'Control', 'Meta', 'Alt'])

/** Whether nothing covers what the keys are for: what opens from inside a dialog is part of it. */
function isOnTop({ within }: Handler): boolean {
  if (within?.current === null) return false
  const dialog = within?.current.closest(DIALOGS) ?? null
  const top = topOverlay()
  return dialog === null ? top === null : dialog.contains(top)
}

/** What is open on top. Layers are added to the document one after the other, so the last is on top. */
function topOverlay(): Element | null {
  const overlays = [...document.querySelectorAll(OVERLAYS)]
  return overlays.findLast((overlay) => overlay.closest(NOT_COVERING) === null) ?? null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null)
}
