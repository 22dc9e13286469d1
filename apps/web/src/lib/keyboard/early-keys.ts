import { isComposing } from './pressed.ts'

let typed: string | null = null

/** Keeps what is typed for a field whose code is still on its way, until the field takes it. */
export function collectEarlyKeys(): void {
  if (typed === null) window.addEventListener('keydown', collect, { capture: true })
  typed ??= ''
}

export function takeEarlyKeys(): string {
  const keys = typed ?? ''
  typed = null
  window.removeEventListener('keydown', collect, { capture: true })
  return keys
}

function collect(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  const isWritten = [...key].length === 1
  const isOwn = isWritten ? !ctrlKey || altKey : key === 'Backspace'
  if (typed === null || !isOwn || metaKey || isComposing(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  typed = isWritten ? typed + key : typed.slice(0, -1)
}
