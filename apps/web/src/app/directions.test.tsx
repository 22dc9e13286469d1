import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { findCard } from './testing/acts.ts'
import { openApp, PROMPT } from './testing/open-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Whether a text from right to left would be laid out so. */
const hasOwnDirection = (element: HTMLElement) => element.closest('[dir]')?.getAttribute('dir') === 'auto'

test('Titles have the direction of their writing, on a card and over a dialog.', async () => {
  await openApp({})
  const card = await findCard(PROMPT)
  const title = card.getByRole('link', { name: PROMPT })
  expect(hasOwnDirection(title)).toBe(true)
  await userEvent.click(title)
  const heading = await screen.findByRole('heading', { name: 'Edit Prompt' })
  expect(hasOwnDirection(heading)).toBe(true)
  const dialog = screen.getByRole('dialog')
  const fields = within(dialog).getAllByRole('textbox')
  expect(fields.length).toBeGreaterThan(1)
  for (const field of fields.filter((each) => each.tagName !== 'DIV'))
    expect(hasOwnDirection(field)).toBe(true)
})

test('Fields of forms have the direction of their writing.', async () => {
  await openApp({ path: '/execute/1' })
  expect(hasOwnDirection(await screen.findByRole('heading', { name: PROMPT, level: 1 }))).toBe(true)
  const context = await screen.findByLabelText('Additional context')
  expect([context.tagName, hasOwnDirection(context)]).toEqual(['TEXTAREA', true])
  const value = await screen.findByLabelText('customer')
  expect(hasOwnDirection(value)).toBe(true)
})
