import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePrompt } from '../../../testing/make-prompt.ts'
import { openPromptDialog, readContent } from '../testing/open-prompt-dialog.tsx'
import { stubApi } from '../testing/stub-api.ts'
import { makeVersion } from '../testing/versions-of.ts'

const onClose = vi.fn()
const prompt = makePrompt({ title: 'Third', content: 'three', version: 3 })
const versions = [
  makeVersion({ number: 3, title: 'Third', content: 'three' }),
  makeVersion({ number: 2, title: 'Second', content: 'two', note: 'shorter opening', author: null }),
  makeVersion({ number: 1, title: 'Third', content: 'one' }),
]
const RESTORE = 'POST /api/prompts/7/versions/2/restore'

beforeEach(() => {
  localStorage.clear()
  onClose.mockReset()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function stubVersions(answers: Parameters<typeof stubApi>[0] = {}) {
  return stubApi({ 'GET /api/prompts/7/versions': () => Response.json(versions), ...answers })
}

/** Opens the edit dialog and its versions. */
async function openVersions() {
  await openPromptDialog({ prompt, onClose })
  await userEvent.click(screen.getByRole('button', { name: '3 versions' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Versions' }))
  await dialog.findByRole('radio', { name: /Version 3/ })
  return dialog
}

/** The two texts, as they stand beside or within each other. */
async function shownDifference(): Promise<string> {
  const region = await screen.findByRole('region', { name: 'Differences' })
  await within(region).findByRole('textbox')
  return region.textContent ?? ''
}

test('all versions are listed, the newest first, with author and the current one marked', async () => {
  stubVersions()
  const dialog = await openVersions()
  const rows = dialog.getAllByRole('radio').map((row) => row.textContent)
  expect(rows[0]).toMatch(/^Version 3 Current .*ada · /)
  expect(rows[1]).toMatch(/^Version 2 .*shorter openingDeleted account · /)
  expect(rows[2]).toMatch(/^Version 1 .*ada · /)
})

test('Settings of prompts and steps that differ are said in words, also before a label moves.', async () => {
  const [newest, ...older] = versions
  if (!newest) throw new Error('no version')
  const set = {
    ...newest,
    model: 'claude',
    effort: 'high' as const,
    maxTokens: 1200,
    messages: [{ role: 'user' as const, content: 'Hello' }],
  }
  stubVersions({ 'GET /api/prompts/7/versions': () => Response.json([set, ...older]) })
  await openVersions()
  const settings = within(await screen.findByRole('region', { name: 'Differences: settings' }))
  expect(settings.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Model',
    'Effort',
    'Max tokens',
  ])
  expect(settings.getByText('No model set').tagName).toBe('DEL')
  expect(settings.getByText('High').tagName).toBe('INS')
  const turns = await screen.findByRole('region', { name: 'Differences: Turns' })
  await waitFor(() => expect(turns.textContent).toContain('User: Hello'))
  expect(screen.queryByRole('region', { name: 'Differences: System prompt' })).toBeNull()
})

test('an older version is compared with the current one, the current one with the one before', async () => {
  stubVersions()
  const dialog = await openVersions()
  expect(await shownDifference()).toMatch(/Version 2.*Version 3 \(current\).*two.*three/)
  expect(dialog.getByText('Second').tagName).toBe('DEL')
  expect(dialog.getByText('Third', { selector: 'ins' })).toBeTruthy()

  await userEvent.click(dialog.getByRole('radio', { name: /Version 1/ }))
  await waitFor(async () => expect(await shownDifference()).toMatch(/Version 1.*Version 3.*one.*three/))
  expect(dialog.queryByText('Third', { selector: 'ins, del' })).toBeNull()

  await userEvent.click(dialog.getByRole('radio', { name: /Version 3/ }))
  await waitFor(async () => expect(await shownDifference()).toMatch(/Version 2.*Version 3.*two.*three/))
  expect(dialog.queryByRole('button', { name: /Restore/ })).toBeNull()
})

test('a restored version becomes a new one and fills the form', async () => {
  const restored = makePrompt({ title: 'Second', content: 'two', version: 4, revision: 5 })
  const sent = stubVersions({ [RESTORE]: () => Response.json(restored) })
  const dialog = await openVersions()
  await userEvent.click(dialog.getByRole('button', { name: 'Restore version 2' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Restore version 2?' }))
  expect(sent).toEqual([])
  await userEvent.click(question.getByRole('button', { name: 'Restore' }))
  expect(await screen.findByText('Prompt updated')).toBeTruthy()
  expect(sent).toEqual([{ key: RESTORE, body: { revision: 4 } }])
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Versions' })).toBeNull())
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Second')
  expect(readContent()).toBe('two')
  expect(screen.getByRole('button', { name: '4 versions' })).toBeTruthy()
})

test('restoring over unsaved changes says that they would be lost, and may be left', async () => {
  const sent = stubVersions()
  await openPromptDialog({ prompt, onClose })
  await userEvent.type(screen.getByLabelText('Title'), ' and mine')
  await userEvent.click(screen.getByRole('button', { name: '3 versions' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Restore version 2' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(/will be lost/)).toBeTruthy()
  expect(question.getByRole('button', { name: 'Discard and restore' })).toBeTruthy()
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] ?? document.body)
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Third and mine')
  expect(sent).toEqual([])
})

const meanwhile = makePrompt({ title: 'Theirs', content: 'theirs', version: 4, revision: 8 })
const refuse = () => Response.json({ error: 'This prompt was changed', details: meanwhile }, { status: 409 })

test('someone else saved first: both are shown, and restoring goes over theirs', async () => {
  const restored = makePrompt({ title: 'Second', content: 'two', version: 5, revision: 9 })
  const sent = stubVersions({ [RESTORE]: [refuse, () => Response.json(restored)] })
  const dialog = await restoreTooLate()
  expect(dialog.getByLabelText('Content: Version 2')).toHaveProperty('value', 'two')
  expect(dialog.getByLabelText('Content: Saved now')).toHaveProperty('value', 'theirs')
  await userEvent.click(dialog.getByRole('button', { name: 'Restore version 2' }))
  expect(await screen.findByText('Prompt updated')).toBeTruthy()
  expect(sent.map(({ body }) => body)).toEqual([{ revision: 4 }, { revision: 8 }])
})

test('someone else saved first: the version that was to be restored stays, also when the list has theirs', async () => {
  const theirs = makeVersion({ number: 4, title: 'Theirs', content: 'theirs' })
  stubVersions({
    [RESTORE]: refuse,
    'GET /api/prompts/7/versions': [
      () => Response.json(versions),
      () => Response.json([theirs, ...versions]),
    ],
  })
  const dialog = await restoreTooLate()
  await dialog.findByRole('radio', { name: /Version 4/ })
  expect(dialog.getByLabelText('Content: Version 2')).toHaveProperty('value', 'two')
})

test('someone else saved first: what is saved can be taken', async () => {
  const sent = stubVersions({ [RESTORE]: refuse })
  const dialog = await restoreTooLate()
  await userEvent.click(dialog.getByRole('button', { name: 'Use what is saved' }))
  await waitFor(() => expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Theirs'))
  expect(screen.getByRole('button', { name: '4 versions' })).toBeTruthy()
  expect(sent).toHaveLength(1)
})

async function restoreTooLate() {
  const dialog = await openVersions()
  await userEvent.click(dialog.getByRole('button', { name: 'Restore version 2' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
  await dialog.findByRole('alert', { name: 'Conflicting changes' })
  return dialog
}

test('a restore that fails is reported, and can be retried', async () => {
  stubVersions({ [RESTORE]: () => Response.json({ error: 'Out of luck' }, { status: 500 }) })
  const dialog = await openVersions()
  await userEvent.click(dialog.getByRole('button', { name: 'Restore version 2' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
  expect(await screen.findByText('Failed to update prompt: Out of luck')).toBeTruthy()
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Restore version 2' })).toBeTruthy())
})

test('a list that cannot be loaded says why, and can be asked for again', async () => {
  stubApi({
    'GET /api/prompts/7/versions': [
      () => Response.json({ error: 'Out of luck' }, { status: 500 }),
      () => Response.json(versions.slice(2)),
    ],
  })
  await openPromptDialog({ prompt, onClose })
  await userEvent.click(screen.getByRole('button', { name: '3 versions' }))
  expect(await screen.findByText('500: Out of luck')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/This is the only version so far/)).toBeTruthy()
})

test('Where versions are compared, names that the viewer did not bring in are marked (D69).', async () => {
  const [newest, ...older] = versions
  stubVersions({
    'GET /api/prompts/7/versions': () =>
      Response.json([{ ...newest, othersNames: ['openai_key'] }, ...older]),
    'GET /api/prompts/7/versions/3': () => Response.json({ ...newest, othersNames: ['openai_key'] }),
  })
  await openVersions()
  const note = await screen.findByRole('note')
  expect(note.textContent).toMatch(/^Not added by you: openai_key\./)
})
