import { areSingleKeysOn, useSingleKeys } from './single-keys.ts'

export interface Shortcut {
  /** Keys held together are joined by `+`, keys pressed one after the other by a space; `Mod` is ⌘ or Ctrl. */
  keys: string
  group: 'Everywhere' | 'Lists' | 'Forms and runs'
  description: string
}

export const SHORTCUTS = {
  palette: { group: 'Everywhere', keys: 'Mod+K', description: 'Find, run or create by name' },
  search: { group: 'Everywhere', keys: '/', description: 'Search this page' },
  create: {
    group: 'Everywhere',
    keys: 'n',
    description: 'New prompt, variable, chain, step, token or group',
  },
  help: { group: 'Everywhere', keys: '?', description: 'Show these shortcuts' },
  notification: { group: 'Everywhere', keys: 'F8', description: 'Go to the notification' },
  close: { group: 'Everywhere', keys: 'Escape', description: 'Close the topmost dialog or menu' },
  move: { group: 'Lists', keys: 'Arrows', description: 'Move between items' },
  open: { group: 'Lists', keys: 'Enter', description: 'Open the focused item, or the only one found' },
  run: {
    group: 'Lists',
    keys: 'Shift+Enter',
    description: 'Run the focused prompt or chain, or the only one found',
  },
  select: {
    group: 'Lists',
    keys: 'x',
    description: 'Choose the focused item; with Shift, arrows and clicks choose all in between',
  },
  edit: { group: 'Lists', keys: 'e', description: 'Edit the focused item, or the prompt or chain in view' },
  remove: { group: 'Lists', keys: 'Delete', description: 'Delete the focused prompt or chain' },
  submit: {
    group: 'Forms and runs',
    keys: 'Mod+Enter',
    description: 'Save the form, or run the prompt or chain',
  },
  next: { group: 'Forms and runs', keys: 'Enter', description: 'Go to the next value' },
  copyAnswer: { group: 'Forms and runs', keys: 'Mod+Shift+Enter', description: 'Copy the answer' },
  save: { group: 'Forms and runs', keys: 'Mod+S', description: 'Save the edited copy as a new version' },
  stop: { group: 'Forms and runs', keys: 'Escape', description: 'Stop the run' },
  grow: {
    group: 'Forms and runs',
    keys: 'Mod+E',
    description: 'Switch the prompt’s editor between page and dialog',
  },
} as const satisfies Record<string, Shortcut>

export type GoToKeys = `g ${string}`

export type ShortcutId = keyof typeof SHORTCUTS | GoToKeys

const LABELS: Record<string, string> = {
  Shift: '⇧',
  Enter: '↵',
  Escape: 'Esc',
  Delete: 'Del',
  Arrows: '↑ ↓ ← →',
}

type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export function matchesShortcut({ event, id }: { event: Keys; id: ShortcutId }): boolean {
  const step = stepsOf(id).at(-1) ?? ''
  if (isSingleKey(id) && !areSingleKeysOn()) return false
  const [first = '', ...held] = step.split('+').reverse()
  const mod = isApple() ? event.metaKey : event.ctrlKey
  const other = isApple() ? event.ctrlKey : event.metaKey
  if (event.altKey || other || mod !== held.includes('Mod')) return false
  const isLetter = /^[a-z]$/i.test(first)
  // Some keyboards need Shift for `/`, all but few for `?`; a letter with Shift is another key.
  const isOtherWithShift = isLetter || first.length > 1
  if (isOtherWithShift && event.shiftKey !== held.includes('Shift')) return false
  return isLetter ? letterOf(event) === first.toLowerCase() : event.key === first
}

export function shortcutLabels(id: ShortcutId): string[] {
  return stepsOf(id).map((step) =>
    step
      .split('+')
      .map((key) => (key === 'Mod' ? (isApple() ? '⌘' : 'Ctrl') : (LABELS[key] ?? key.toUpperCase())))
      .join(isApple() ? '' : ' '),
  )
}

export function spokenShortcut(id: ShortcutId): string {
  const words: Record<string, string> = { Mod: isApple() ? 'Command' : 'Control', Arrows: 'arrow keys' }
  const spoken = stepsOf(id).map((step) =>
    step
      .split('+')
      .map((key) => words[key] ?? key)
      .join(' '),
  )
  return spoken.join(' then ')
}

export function useAriaKeys(id: ShortcutId): string | undefined {
  const isOn = useShortcutOn(id)
  return isOn && stepsOf(id).length === 1
    ? keysOf(id).replace('Mod', isApple() ? 'Meta' : 'Control')
    : undefined
}

export function useShortcutOn(id: ShortcutId): boolean {
  const [areOn] = useSingleKeys()
  return areOn || !isSingleKey(id)
}

/** Whether characters alone make the shortcut, so that speech input or a slip may press it (WCAG 2.1.4). */
export function isSingleKey(id: ShortcutId): boolean {
  return stepsOf(id).every((step) => step.length === 1)
}

export function stepsOf(id: ShortcutId): string[] {
  return keysOf(id).split(' ')
}

function keysOf(id: ShortcutId): string {
  return isGoTo(id) ? id : SHORTCUTS[id].keys
}

function isGoTo(id: ShortcutId): id is GoToKeys {
  return id.startsWith('g ')
}

/** The Latin letter of the key, in any keyboard layout. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const isOtherScript = key.length === 1 && key > '\u007f'
  return isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}
