import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { byHandStore, offerByHand } from './copied-by-hand.ts'
import { writeToClipboard } from './copy-text.ts'

/** What the page would have copied, as jsdom has no `execCommand`. */
let copied: string[] = []
let allows = true

beforeEach(() => {
  copied = []
  allows = true
  vi.stubGlobal('navigator', { ...navigator, clipboard: undefined })
  document.execCommand = (command) => {
    const field = document.activeElement
    if (command !== 'copy' || !allows || !(field instanceof HTMLTextAreaElement)) return false
    copied.push(field.value.slice(field.selectionStart, field.selectionEnd))
    return true
  }
})
afterEach(() => {
  offerByHand(null)
  document.body.replaceChildren()
  Reflect.deleteProperty(document, 'execCommand')
  vi.unstubAllGlobals()
})

test('without a clipboard a text is copied as a selected one is; the focus stays, and nothing is left behind', async () => {
  const button = document.createElement('button')
  document.body.append(button)
  button.focus()
  await writeToClipboard('first\nsecond')
  await writeToClipboard(Promise.resolve('fetched'))
  expect(copied).toEqual(['first\nsecond', 'fetched'])
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
  expect(byHandStore.getSnapshot()).toBeNull()
})

test('in a dialog it is selected there, as a dialog takes the focus back', async () => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  const button = document.createElement('button')
  dialog.append(button)
  document.body.append(dialog)
  button.focus()
  const places: (Element | null | undefined)[] = []
  document.addEventListener('focusin', ({ target }) => places.push((target as Element).parentElement))
  await writeToClipboard('a token')
  expect(copied).toEqual(['a token'])
  expect(new Set(places)).toEqual(new Set([dialog]))
})

test('A text that the browser refuses to copy is shown, selected, with the keys that copy it.', async () => {
  const writeText = () => Promise.reject(new DOMException('No', 'NotAllowedError'))
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  await writeToClipboard('again')
  expect(copied).toEqual(['again'])
  allows = false
  await expect(writeToClipboard('by hand')).rejects.toThrow('No')
  expect(byHandStore.getSnapshot()).toBe('by hand')
})

test('a text that can’t be fetched is not offered', async () => {
  await expect(writeToClipboard(Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(byHandStore.getSnapshot()).toBeNull()
  expect(copied).toEqual([])
})
