import { fireEvent } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { collectEarlyKeys, takeEarlyKeys } from './early-keys.ts'

afterEach(() => void takeEarlyKeys())

/** Whether the page got the key. */
const press = (key: string, held: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.body, { key, ...held })

test('What is typed while the palette is on its way is kept for it, and is no key of the page.', () => {
  collectEarlyKeys()
  const reached = [...'new', 'x', 'Backspace', ' ', 'r'].map((key) => press(key))
  expect(reached).not.toContain(true)
  expect(takeEarlyKeys()).toBe('new r')
  expect(press('n')).toBe(true)
  expect(takeEarlyKeys()).toBe('')
})

test('keys that write nothing, or that belong to an input method, stay the page’s', () => {
  collectEarlyKeys()
  expect(press('Escape')).toBe(true)
  expect(press('r', { ctrlKey: true })).toBe(true)
  expect(press('n', { isComposing: true })).toBe(true)
  expect(press('@', { ctrlKey: true, altKey: true })).toBe(false)
  expect(takeEarlyKeys()).toBe('@')
})
