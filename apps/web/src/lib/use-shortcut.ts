import { useEffect, useEffectEvent } from 'react'
import { isSingleKey, letterOf, matchesShortcut, type ShortcutId, stepsOf } from './shortcuts.ts'
import { areSingleKeysOn } from './single-keys.ts'

interface Handler {
  id: ShortcutId
  press: () => void
}

/** How long the first of two keys waits for the second. */
const SEQUENCE_MS = 1_500
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'
/** A closed select picks by letters as well. */
const FIELDS = 'input, textarea, select, [role="textbox"], [role="combobox"]'

const handlers: Handler[] = []
let firstKey: string | undefined
let forgetting: ReturnType<typeof setTimeout> | undefined

/**
 * Answers a shortcut while the component is shown; of two that do, the later one.
 * Silent while a dialog, menu or list of choices is open and, for single keys, while someone types.
 */
export function useShortcut({ id, onPress }: { id: ShortcutId; onPress: () => void }): void {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const handler = { id, press: () => press() }
    if (handlers.push(handler) === 1) document.addEventListener('keydown', listen)
    return () => {
      handlers.splice(handlers.indexOf(handler), 1)
      if (handlers.length === 0) document.removeEventListener('keydown', listen)
    }
  }, [id])
}

function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return
  const before = firstKey
  firstKey = undefined
  const handler = find({ event, before }) ?? (before && find({ event, before: undefined }))
  if (handler && !isSingleKey(handler.id)) {
    // The browser's own meaning of the keys would surprise even where the app's is silent.
    event.preventDefault()
    if (!event.repeat && !isOverlaid()) handler.press()
    return
  }
  if (isOverlaid() || isTyping(event.target)) return
  if (handler) {
    event.preventDefault()
    if (!event.repeat) handler.press()
  } else remember(event)
}

function find({ event, before }: { event: KeyboardEvent; before: string | undefined }): Handler | undefined {
  return handlers.findLast(({ id }) => startOf(id) === before && matchesShortcut({ event, id }))
}

/** Keeps the first of two keys until the second comes or time is up. */
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

/** The first of two keys. */
function startOf(id: ShortcutId): string | undefined {
  const [first, second] = stepsOf(id)
  return second === undefined ? undefined : first
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Meta' || key === 'Alt'
}

function isOverlaid(): boolean {
  return document.querySelector(OVERLAYS) !== null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null)
}
