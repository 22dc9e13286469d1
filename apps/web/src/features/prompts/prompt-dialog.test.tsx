import type { Prompt } from '@catenary/contracts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../testing/make-prompt.ts'
import { openPromptDialog, writeContent } from './testing/open-prompt-dialog.tsx'
import { stubApi } from './testing/stub-api.ts'

const onClose = vi.fn()

beforeEach(() => {
  localStorage.clear()
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  onClose.mockReset()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** A prompt without settings, as it is saved. */
const UNSET = {
  model: null,
  fallbackModel: null,
  moreFallbackModels: null,
  effort: null,
  temperature: null,
  maxTokens: null,
  stop: null,
  systemPrompt: null,
  messages: null,
}

const openDialog = (prompt: Prompt | null) => openPromptDialog({ prompt, onClose })

test('The form says ‘Title is required’, ‘Content is required’ or ‘Please select a category’.', async () => {
  const sent = stubApi({})
  const dialog = within(await openPromptDialog({ prompt: null, categories: [], onClose }))
  await userEvent.click(dialog.getByRole('button', { name: /Create Prompt/ }))
  expect(await dialog.findByText('Title is required')).toBeTruthy()
  expect(dialog.getByText('Please select a category')).toBeTruthy()
  expect(dialog.getByText('Content is required')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText('Title'))
  expect(sent).toEqual([])
})

test('A new prompt begins in the category that was used last, else in the first.', async () => {
  const categories = ['Writing', 'Coding', 'Law'].map((name, index) => ({ id: index + 2, name, count: 0 }))
  stubApi({ 'POST /api/prompts': () => Response.json(makePrompt(), { status: 201 }) })
  const start = async () => within(await openPromptDialog({ prompt: null, categories, onClose }))
  const dialog = await start()
  const picker = (within = dialog) => within.getByRole('combobox', { name: 'Category' })
  expect(picker().textContent).toBe('Writing')
  await userEvent.type(dialog.getByLabelText('Title'), 'Tone check')
  writeContent('Rewrite it.')
  await userEvent.click(picker())
  await userEvent.click(await screen.findByRole('option', { name: 'Coding' }))
  await userEvent.click(dialog.getByRole('button', { name: /Create Prompt/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  cleanup()
  expect(picker(await start()).textContent).toBe('Coding')
})

test('a new prompt is sent with the tag that was typed but not added', async () => {
  const sent = stubApi({ 'POST /api/prompts': () => Response.json(makePrompt(), { status: 201 }) })
  const dialog = within(await openDialog(null))
  await userEvent.type(dialog.getByLabelText('Title'), ' Tone check ')
  await userEvent.click(dialog.getByRole('combobox', { name: 'Category' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Writing' }))
  await userEvent.type(dialog.getByLabelText('Tags'), 'typed')
  writeContent('Rewrite $<text>.')
  await userEvent.click(dialog.getByRole('switch', { name: 'Make Prompt Public' }))
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Your prompt has been created successfully')).toBeTruthy()
  const body = {
    title: 'Tone check',
    content: 'Rewrite $<text>.',
    output: { type: 'text' },
    categoryId: 2,
    isActive: true,
    isPublic: true,
    tagIds: [9],
    ...UNSET,
  }
  expect(sent).toEqual([{ key: 'POST /api/prompts', body }])
  expect(onClose).toHaveBeenCalledOnce()
})

test('Undo in the toast reverts tags (D54).', async () => {
  const saved = makePrompt({ title: 'Saved', revision: 6 })
  const sent = stubApi({
    'PUT /api/prompts/7': () => Response.json(saved),
    'PATCH /api/prompts/7/share': () => Response.json(saved),
  })
  const dialog = within(await openDialog(makePrompt()))
  await userEvent.type(dialog.getByLabelText('Tags'), 'typed')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  // The dialog's owner closes it; here it stays, and hides the toast from assistive technology.
  fireEvent.click(await screen.findByRole('button', { name: 'Undo tags', hidden: true }))
  expect(await screen.findByText('The tags are as they were before.')).toBeTruthy()
  const puts = sent.filter(({ key }) => key.startsWith('PUT'))
  expect(puts.map(({ body }) => body)).toMatchObject([
    { tagIds: [3, 9] },
    { title: 'Saved', tagIds: [3], revision: 6 },
  ])
})

test('an editor can’t choose whether everyone sees it', async () => {
  stubApi({})
  const dialog = within(await openDialog(makePrompt({ owner: 'olga', canDelete: false })))
  expect(dialog.getByRole('switch', { name: 'Active' })).toBeTruthy()
  expect(dialog.queryByRole('switch', { name: 'Make Prompt Public' })).toBeNull()
})

test('Editing saves the prompt first and sets its sharing level after that.', async () => {
  const sent = stubApi({
    'PUT /api/prompts/7': () => Response.json(makePrompt({ revision: 5 })),
    'PATCH /api/prompts/7/share': () => Response.json(makePrompt({ revision: 6, isPublic: true })),
  })
  const dialog = within(await openDialog(makePrompt()))
  await userEvent.type(dialog.getByLabelText('Tags'), 'typed')
  await userEvent.click(dialog.getByRole('switch', { name: 'Make Prompt Public' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Your prompt has been updated successfully')).toBeTruthy()
  expect(sent.map(({ key }) => key)).toEqual(['PUT /api/prompts/7', 'PATCH /api/prompts/7/share'])
  expect(sent[0]?.body).not.toHaveProperty('isPublic')
  expect(sent[0]?.body).toMatchObject({ revision: 4, tagIds: [3, 9] })
  expect(sent[1]?.body).toEqual({ sharedLevel: 'public' })
})

test('a private prompt is shared as private, and a failed share can be saved again', async () => {
  const sent = stubApi({
    'PUT /api/prompts/7': () => Response.json(makePrompt({ revision: 5 })),
    'PATCH /api/prompts/7/share': [
      () => Response.json({ error: 'Out of luck' }, { status: 500 }),
      () => Response.json(makePrompt({ revision: 5 })),
    ],
  })
  const dialog = within(await openDialog(makePrompt()))
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await screen.findByText('Failed to update prompt: Out of luck')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[1]?.body).toEqual({ sharedLevel: 'private' })
  expect(sent[2]?.body).toMatchObject({ revision: 5 })
})

test('someone else saved first: both are shown, and keeping mine saves over theirs', async () => {
  const theirs = makePrompt({ title: 'Theirs', revision: 8 })
  const sent = stubApi({
    'PUT /api/prompts/7': [
      () => Response.json({ error: 'This prompt was changed', details: theirs }, { status: 409 }),
      () => Response.json(makePrompt({ revision: 9 })),
    ],
    'PATCH /api/prompts/7/share': () => Response.json(makePrompt({ revision: 9 })),
  })
  const dialog = within(await openDialog(makePrompt()))
  await userEvent.clear(dialog.getByLabelText('Title'))
  await userEvent.type(dialog.getByLabelText('Title'), 'Mine')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByLabelText('Title: Yours')).toHaveProperty('value', 'Mine')
  expect(dialog.getByLabelText('Title: Saved now')).toHaveProperty('value', 'Theirs')
  expect(document.activeElement).toBe(dialog.getByRole('alert', { name: 'Conflicting changes' }))
  expect(dialog.queryByText('Your unsaved draft is back.')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Keep mine and save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[1]?.body).toMatchObject({ title: 'Mine', revision: 8 })
})

test('Unsaved changes are kept, and leaving asks first.', async () => {
  stubApi({})
  const dialog = within(await openDialog(makePrompt()))
  await userEvent.type(dialog.getByLabelText('Title'), ' again')
  expect(await dialog.findByText('Draft kept on this device')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  cleanup()

  const next = within(await openDialog(makePrompt()))
  expect(next.getByLabelText('Title')).toHaveProperty('value', 'Tone check again')
  await userEvent.click(next.getByRole('button', { name: 'Discard draft' }))
  expect(next.getByLabelText('Title')).toHaveProperty('value', 'Tone check')
})

const saving = {
  'PUT /api/prompts/7': () => Response.json(makePrompt({ revision: 5 })),
  'PATCH /api/prompts/7/share': () => Response.json(makePrompt({ revision: 6 })),
}

test('The Edit dialog of a prompt takes a note with a save.', async () => {
  const sent = stubApi(saving)
  const dialog = within(await openDialog(makePrompt({ version: 3 })))
  expect(dialog.queryByLabelText('Note')).toBeNull()
  await userEvent.type(dialog.getByLabelText('Title'), '!')
  expect(await dialog.findByText('Describe version 4 in one line.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Note'), ' sounds warmer ')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[0]?.body).toMatchObject({ title: 'Tone check!', note: 'sounds warmer' })
})

test('a note is not sent once the text is again what is saved', async () => {
  const sent = stubApi(saving)
  const dialog = within(await openDialog(makePrompt({ version: 3 })))
  await userEvent.type(dialog.getByLabelText('Title'), '!')
  await userEvent.type(await dialog.findByLabelText('Note'), 'sounds warmer')
  await userEvent.type(dialog.getByLabelText('Title'), '{Backspace}')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[0]?.body).not.toHaveProperty('note')
})

test('The slug stands under Advanced, with its address and rules.', async () => {
  const sent = stubApi(saving)
  const dialog = within(await openDialog(makePrompt()))
  await userEvent.click(dialog.getByRole('button', { name: 'Advanced' }))
  expect(dialog.getByText('/api/public/v2/prompts/tone-check')).toBeTruthy()
  const slug = dialog.getByLabelText('Slug')
  await userEvent.clear(slug)
  await userEvent.type(slug, 'Chain-7')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  expect(await dialog.findByText(/^A slug begins with a letter/)).toBeTruthy()
  await userEvent.clear(slug)
  await userEvent.type(slug, 'voice-check')
  await userEvent.click(dialog.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[0]?.body).toMatchObject({ slug: 'voice-check' })
})
