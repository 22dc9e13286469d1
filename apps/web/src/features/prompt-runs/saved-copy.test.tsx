import type { Prompt, SavePromptRequest } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/errors.ts'
import { toastStore } from '../../lib/toast.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import { earlier, fakeServer, openExecutePage } from './testing/open-execute-page.tsx'

const STORED = 'Write a $<tone> welcome for $<customer>.'
const EDITED = 'Greet $<customer>.'

beforeEach(() => vi.stubGlobal('fetch', fakeServer().fetch))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const content = () => screen.getByRole('textbox', { name: 'Prompt' }).textContent
const saveButton = (number = 4) =>
  screen.findByRole('button', { name: new RegExp(`^Save as version ${number}`) })

/** Opens the page with the copy of an earlier run's text, and what its saves are answered with. */
async function edit(answers: (() => Promise<Prompt>)[] = [], shown: Partial<Prompt> = {}) {
  const sent: SavePromptRequest[] = []
  const onSave = (body: SavePromptRequest) => {
    sent.push(body)
    return answers.shift()?.() ?? Promise.reject(new Error('Nobody asked for this'))
  }
  const page = openExecutePage(shown, { onSave, path: '/execute/7?tab=history' })
  await userEvent.click(await screen.findByRole('button', { name: /^Use these values: run #/ }))
  await screen.findByText(/^edited since version/)
  return { sent, ...page }
}

const saved = makePrompt({ title: 'Welcome', content: EDITED, version: 4, revision: 5 })
const theirs = makePrompt({ title: 'Hello', content: 'theirs', version: 4, revision: 9 })
const refuse = () =>
  Promise.reject(new ApiError({ status: 409, text: 'This prompt was changed', body: { details: theirs } }))

test('An edited copy is saved where it was tried: ‘Save as version N’ or Ctrl S, with a note.', async () => {
  const { sent, change } = await edit([() => Promise.resolve(saved)])
  await userEvent.type(await screen.findByLabelText('Note on version 4'), 'no tone any more')
  await userEvent.keyboard('{Control>}s{/Control}')
  const text = { title: 'Welcome', content: EDITED, categoryId: 2 }
  expect(sent).toEqual([{ ...text, revision: 4, note: 'no tone any more' }])
  await waitFor(() => expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Prompt updated' }]))
  change(saved)
  expect(await screen.findByText('Edits here aren’t saved')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Save as/ })).toBeNull()
  await userEvent.keyboard('{Control>}s{/Control}')
  expect(sent).toHaveLength(1)
})

test('a save without a note is the same call', async () => {
  const { sent } = await edit([() => Promise.resolve(saved)])
  await userEvent.click(await saveButton())
  expect(sent).toEqual([{ title: 'Welcome', content: EDITED, categoryId: 2, revision: 4 }])
})

test('a person who may not edit the prompt can’t save the copy', async () => {
  await edit([], { canEdit: false })
  expect(screen.queryByRole('button', { name: /^Save as/ })).toBeNull()
  expect(screen.queryByLabelText(/^Note on/)).toBeNull()
})

test('a switch that was flipped meanwhile does not stand in the way of the save', async () => {
  const { sent, change } = await edit([() => Promise.resolve(saved)])
  change({ isPublic: true, revision: 6 })
  await userEvent.click(await saveButton())
  expect(sent).toMatchObject([{ revision: 6 }])
})

test('a copy without edits follows what is saved elsewhere', async () => {
  const { change } = openExecutePage()
  await waitFor(() => expect(content()).toBe(STORED))
  change({ content: 'theirs', version: 4, revision: 9 })
  await waitFor(() => expect(content()).toBe('theirs'))
})

test('A save by someone else in between is not overwritten by an edited copy.', async () => {
  const { sent, change } = await edit([refuse, () => Promise.resolve(saved)])
  change({ title: 'Hello', content: 'theirs', version: 4, revision: 9 })
  await userEvent.click(await saveButton(5))
  expect(sent).toMatchObject([{ title: 'Welcome', revision: 4 }])
  const conflict = within(await screen.findByRole('alert', { name: 'Conflicting changes' }))
  expect(conflict.getByLabelText('Content: Yours')).toHaveProperty('value', EDITED)
  expect(conflict.getByLabelText('Content: Saved now')).toHaveProperty('value', 'theirs')
  await userEvent.click(conflict.getByRole('button', { name: 'Keep mine and save' }))
  expect(sent[1]).toEqual({ title: 'Hello', content: EDITED, categoryId: 2, revision: 9 })
})

test('someone else saved first: what is saved can be taken', async () => {
  const { change } = await edit([refuse])
  await userEvent.click(await saveButton())
  await userEvent.click(await screen.findByRole('button', { name: 'Use what is saved' }))
  await waitFor(() => expect(content()).toBe('theirs'))
  change(theirs)
  await screen.findByText('Edits here aren’t saved')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a save that fails is reported, and keeps copy and note', async () => {
  await edit([() => Promise.reject(new ApiError({ status: 500, text: 'Out of luck' }))])
  await userEvent.type(await screen.findByLabelText('Note on version 4'), 'shorter{Enter}')
  await waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([
      { title: 'Error', description: 'Failed to update prompt: Out of luck' },
    ]),
  )
  expect(screen.getByLabelText('Note on version 4')).toHaveProperty('value', 'shorter')
  expect(content()).toBe(earlier.template)
})

test('An edited copy keeps a draft.', async () => {
  await edit()
  expect(await screen.findByText('Draft kept on this device')).toBeTruthy()
  cleanup()
  const sent: SavePromptRequest[] = []
  const onSave = async (body: SavePromptRequest) => {
    sent.push(body)
    return saved
  }
  openExecutePage({ content: 'theirs', version: 4, revision: 9 }, { onSave })
  expect(await screen.findByText('Your unsaved draft is back.')).toBeTruthy()
  await waitFor(() => expect(content()).toBe(EDITED))
  await userEvent.click(await saveButton(5))
  expect(sent).toMatchObject([{ content: EDITED, revision: 4 }])
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft' }))
  await waitFor(() => expect(content()).toBe('theirs'))
})

test('Leaving an edited copy asks first.', async () => {
  await edit()
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }))
  await userEvent.click(question.getByRole('button', { name: 'Keep editing' }))
  expect(content()).toBe(EDITED)
  await userEvent.click(screen.getByRole('button', { name: 'Undo edits' }))
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('Edited lines are tinted and counted.', async () => {
  await edit()
  expect(await screen.findByText('+1')).toBeTruthy()
  expect((await screen.findByText('−1')).parentElement?.textContent).toMatch(/^\+1 −1 lines · /)
})
