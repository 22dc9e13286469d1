import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { openPromptDialog, readContent, writeContent } from '../testing/open-prompt-dialog.tsx'
import { stubApi } from '../testing/stub-api.ts'
import { BUILDER_TEMPLATES } from './builder-dialog.tsx'

const onClose = vi.fn()

beforeEach(() => {
  localStorage.clear()
  onClose.mockReset()
  stubApi({})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function openBuilder() {
  await userEvent.click(screen.getByRole('radio', { name: 'Advanced' }))
  return within(await screen.findByRole('dialog', { name: 'Advanced Prompt Builder' }))
}

/** Typing letter by letter would draw the dialog for each. */
async function paste(field: HTMLElement, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}

function expectBasic() {
  expect(screen.queryByRole('dialog', { name: 'Advanced Prompt Builder' })).toBeNull()
  expect(screen.getByRole('radio', { name: 'Basic' }).getAttribute('aria-checked')).toBe('true')
}

test('A new prompt has a switch between Basic and Advanced.', async () => {
  await openPromptDialog({ prompt: makePrompt(), onClose })
  expect(screen.queryByRole('radio', { name: 'Advanced' })).toBeNull()
})

test('The builder says ‘Please describe what the AI should do’ while that is empty.', async () => {
  await openPromptDialog({ prompt: null, onClose })
  const builder = await openBuilder()
  await userEvent.click(builder.getByRole('button', { name: 'Generate Prompt' }))
  expect(await builder.findByText('Please describe what the AI should do')).toBeTruthy()
  expect(document.activeElement).toBe(builder.getByRole('textbox', { name: 'Core Task' }))
  await userEvent.click(builder.getByRole('button', { name: /Accept Prompt/ }))
  expect(screen.getByRole('dialog', { name: 'Advanced Prompt Builder' })).toBeTruthy()
  expect(screen.queryByText('Prompt Accepted')).toBeNull()
})

test('Accepting fills the content, closes the builder and goes back to Basic.', async () => {
  await openPromptDialog({ prompt: null, onClose })
  writeContent('What was here.')
  const builder = await openBuilder()
  await paste(builder.getByRole('textbox', { name: 'Feedback Requirements' }), 'Be brief.')
  await paste(builder.getByRole('textbox', { name: 'Error Handling' }), 'Fail loudly.')
  await paste(builder.getByRole('textbox', { name: 'Core Task' }), 'Write a parser.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Prompt Accepted')).toBeTruthy()
  await waitFor(expectBasic)
  expect(readContent()).toBe(
    'Task:\nWrite a parser.\n\nError Handling:\nFail loudly.\n\nFeedback Requirements:\nBe brief.',
  )
})

test('Cancelling the builder goes back to Basic.', async () => {
  await openPromptDialog({ prompt: null, onClose })
  writeContent('What was here.')
  const builder = await openBuilder()
  await paste(builder.getByRole('textbox', { name: 'Core Task' }), 'Write a parser.')
  await userEvent.click(builder.getByRole('button', { name: 'Cancel' }))
  await waitFor(expectBasic)
  expect(readContent()).toBe('What was here.')
  const again = await openBuilder()
  expect(again.getByRole('textbox', { name: 'Core Task' })).toHaveProperty('value', 'Write a parser.')
})

test.each(BUILDER_TEMPLATES)(
  'Four chips fill the preferences with a prepared instruction. ($name)',
  async ({ name, text }) => {
    await openPromptDialog({ prompt: null, onClose })
    const builder = await openBuilder()
    const preferences = builder.getByRole('textbox', { name: 'User Preferences' })
    const chip = builder.getByRole('button', { name })
    await userEvent.click(chip)
    expect(preferences).toHaveProperty('value', text)
    await userEvent.click(chip)
    expect(preferences).toHaveProperty('value', '')
    await paste(preferences, 'In French.')
    await userEvent.click(chip)
    expect(preferences).toHaveProperty('value', `In French.\n\n${text}`)
  },
)

test('what is filled in is asked about on closing, and kept on the device until then', async () => {
  await openPromptDialog({ prompt: null, onClose })
  const builder = await openBuilder()
  await paste(builder.getByRole('textbox', { name: 'Core Task' }), 'Write a parser.')
  cleanup()
  const dialog = within(await openPromptDialog({ prompt: null, onClose }))
  const again = await openBuilder()
  expect(again.getByRole('textbox', { name: 'Core Task' })).toHaveProperty('value', 'Write a parser.')
  await userEvent.click(again.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('catenary.draft.'))).toEqual([])
})
