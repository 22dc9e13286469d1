import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeApiVariable, makeVariable } from './testing/make-variable.ts'
import { type OpenVariables, openVariables } from './testing/open-variables.tsx'

const EMPTY = {
  content: '',
  allowedValues: [],
  apiUrl: '',
  apiHeaders: {},
  googleDriveFileId: '',
  googleDriveFileName: '',
  googleDriveMimeType: '',
  cacheSeconds: 0,
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

async function openDialog(options: Partial<OpenVariables> = {}) {
  const page = openVariables({ variables: [], path: '/variables?variable=new', ...options })
  const dialog = await screen.findByRole('dialog', { name: / Variable$/ })
  return { ...page, dialog: within(dialog), submit: () => fireEvent.submit(formOf(dialog)) }
}

function formOf(dialog: HTMLElement): HTMLFormElement {
  const form = dialog.querySelector('form')
  if (!form) throw new Error('The dialog has no form')
  return form
}

const chooseType = (label: string) => userEvent.click(screen.getByRole('radio', { name: label }))
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })

test('One form creates and edits a variable: ‘Name is required’, ‘Name must be less than 50 characters’, trimmed, without spaces, of four types.', async () => {
  const { dialog, submit, sent } = await openDialog({
    answers: {
      'POST /api/variables': () =>
        Response.json({ error: 'There is already a variable named tone' }, { status: 409 }),
    },
  })
  submit()
  expect(await dialog.findByText('Name is required')).toBeTruthy()
  type('Name', 'x'.repeat(51))
  expect(await dialog.findByText('Name must be less than 50 characters')).toBeTruthy()
  type('Name', ' tone ')
  submit()
  expect(await screen.findByText('Error creating variable')).toBeTruthy()
  expect(dialog.getByText('There is already a variable named tone')).toBeTruthy()
  expect(sent[0]?.body).toEqual({ ...EMPTY, name: 'tone', type: 'text', isPublic: false, tagIds: [] })
})

test('A variable’s form shows the fields of the chosen type and sends the others empty. What was typed for another type stays until the save.', async () => {
  const { submit, sent } = await openDialog({
    answers: { 'POST /api/variables': () => Response.json(makeApiVariable(), { status: 201 }) },
  })
  type('Name', 'notes')
  type('Content', 'typed as a text')
  await chooseType('API')
  expect(screen.queryByLabelText('Content')).toBeNull()
  type('API URL', 'https://example.org/a')
  await chooseType('Text')
  expect(screen.queryByLabelText('API URL')).toBeNull()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Content').value).toBe('typed as a text')
  await chooseType('API')
  submit()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ ...EMPTY, type: 'api', apiUrl: 'https://example.org/a' })
})

test('An API variable needs a valid URL, a Google Drive variable a file, in the specification’s words.', async () => {
  const { dialog, submit, sent } = await openDialog({
    answers: {
      'GET /api/auth/google/status': () =>
        Response.json({ authenticated: false, configured: true, email: null }),
    },
  })
  type('Name', 'notes')
  await chooseType('API')
  type('API URL', 'example')
  submit()
  expect(await dialog.findByText("Must be a valid URL when type is 'api'")).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('API URL')))
  await chooseType('Google Drive')
  submit()
  expect(await dialog.findByText("Google Drive File ID is required when type is 'googleDrive'")).toBeTruthy()
  expect(sent).toEqual([])
})

test('apiHeaders are edited as rows or as JSON; bad ones show ‘Invalid Headers Format’ and its sentence.', async () => {
  const { submit, sent } = await openDialog()
  type('Name', 'notes')
  await chooseType('API')
  type('API URL', 'https://example.org/a')
  await userEvent.click(screen.getByRole('radio', { name: 'JSON' }))
  type('Headers as JSON', '{ "Authorization": ')
  submit()
  expect(await screen.findByText('Invalid Headers Format')).toBeTruthy()
  expect(
    screen.getAllByText('API Headers must be valid JSON. Please correct and try again.').length,
  ).toBeGreaterThan(0)
  expect(sent).toEqual([])
})

test('Header values are masked until they are shown, and appear in no draft, conflict or guest’s reply (D24).', async () => {
  await openDialog({ variables: [makeApiVariable()], path: '/variables?variable=5' })
  const value = screen.getByLabelText<HTMLInputElement>('Value of header 1')
  expect(value.type).toBe('password')
  await userEvent.click(screen.getByRole('radio', { name: 'JSON' }))
  const json = screen.getByLabelText<HTMLTextAreaElement>('Headers as JSON')
  expect(json.value).not.toContain('s3cret')
  expect(json.readOnly).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Show values' }))
  expect(json.value).toContain('Bearer s3cret')
  type('Headers as JSON', '{ "X-Key": "brandnew" }')
  type('API URL', 'https://example.org/other.json')
  await screen.findByText('Draft kept on this device')
  expect(JSON.stringify(localStorage)).toContain('X-Key')
  expect(JSON.stringify(localStorage)).not.toMatch(/brandnew|s3cret/)
})

test('Another origin clears the headers, and the form says so (D24).', async () => {
  await openDialog({ variables: [makeApiVariable()], path: '/variables?variable=5' })
  const notice = /new origin, so saving clears the stored header values/
  type('API URL', 'https://example.org/elsewhere')
  expect(screen.queryByText(notice)).toBeNull()
  type('API URL', 'https://example.com/latest.json')
  expect(await screen.findByText(notice)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Fetch now' })).toHaveProperty('disabled', true)
})

test('a new address is tried with the headers that were typed, and nothing is saved', async () => {
  const fetched = { content: '{}', contentType: 'application/json', fetchedAt: '2026-05-02T10:00:00.000Z' }
  const { dialog, sent } = await openDialog({
    answers: { 'POST /api/proxy': () => Response.json(fetched) },
  })
  await chooseType('API')
  const fetchNow = dialog.getByRole('button', { name: 'Fetch now' })
  expect(fetchNow).toHaveProperty('disabled', true)
  type('API URL', 'no address')
  await userEvent.click(fetchNow)
  expect(await dialog.findByText("Must be a valid URL when type is 'api'")).toBeTruthy()
  type('API URL', ' https://example.org/latest ')
  await userEvent.click(dialog.getByRole('radio', { name: 'JSON' }))
  type('Headers as JSON', '{ "X-Key": "typed" }')
  await userEvent.click(fetchNow)
  expect(await dialog.findByText(/application\/json/)).toBeTruthy()
  const body = { apiUrl: 'https://example.org/latest', apiHeaders: { 'X-Key': 'typed' } }
  expect(sent).toEqual([{ key: 'POST /api/proxy', body }])
})

test('a text may be limited to a list, from which its content is then chosen', async () => {
  const { dialog, submit, sent } = await openDialog({
    variables: [makeVariable({ content: 'warm' })],
    path: '/variables?variable=4',
    answers: { 'PATCH /api/variables/4': () => Response.json(makeVariable()) },
  })
  const limit = () => userEvent.click(dialog.getByRole('button', { name: 'Limit to a list of values' }))
  await limit()
  type('Allowed values', 'hot')
  await userEvent.click(dialog.getByRole('button', { name: 'Allow any value' }))
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Content').value).toBe('warm')
  await limit()
  type('Allowed values', ' cold \n\ncold')
  submit()
  expect(await dialog.findByText('Two allowed values are the same')).toBeTruthy()
  expect(dialog.getByText('Choose one of the allowed values')).toBeTruthy()
  type('Allowed values', 'cold\nwarm')
  expect(dialog.getByRole('combobox', { name: 'Content' }).textContent).toBe('warm')
  submit()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ content: 'warm', allowedValues: ['cold', 'warm'] })
})

test('The toast of a text variable, which has no versions, turns it back too.', async () => {
  const { sent, submit } = await openDialog({
    variables: [makeVariable({ content: 'warm' })],
    path: '/variables?variable=4',
    answers: {
      'PATCH /api/variables/4': () => Response.json(makeVariable({ content: 'cold', revision: 3 })),
    },
  })
  type('Content', 'cold')
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Undo', hidden: true }))
  expect(await screen.findByText('Variable restored')).toBeTruthy()
  expect(sent.map(({ body }) => body)).toMatchObject([
    { content: 'cold', revision: 2 },
    { name: 'brand_voice', content: 'warm', revision: 3 },
  ])
})

test('Before a rename or deletion the form shows where the variable is used, and offers to rename it there.', async () => {
  const { sent, submit } = await openDialog({
    variables: [makeVariable()],
    path: '/variables?variable=4',
    answers: {
      'PATCH /api/variables/4': () => Response.json(makeVariable({ name: 'voice' })),
      'GET /api/variables/4/usage': () =>
        Response.json({
          prompts: [
            { id: 1, title: 'Launch email', canEdit: true },
            { id: 2, title: 'Foreign', canEdit: false },
          ],
          chains: [{ id: 3, name: 'Weekly digest', canEdit: true, steps: 2 }],
        }),
    },
  })
  type('Name', 'Brand_Voice')
  expect(screen.queryByRole('region', { name: 'References to the old name' })).toBeNull()
  type('Name', 'voice')
  const notice = within(await screen.findByRole('region', { name: 'References to the old name' }))
  expect(notice.getByRole('list', { name: 'Yours' }).textContent).toBe(
    'Launch emailpromptWeekly digestchain, 2 steps',
  )
  expect(notice.getByText('1 is not yours and keeps the old name.')).toBeTruthy()
  submit()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({ name: 'voice', renameReferences: true, revision: 2 })
})

test('a variable that was saved meanwhile shows both, without values of headers, and lets the person choose', async () => {
  const theirs = makeApiVariable({
    revision: 3,
    apiUrl: 'https://example.org/theirs.json',
    apiHeaders: { 'X-Key': 'th31rs' },
  })
  const { sent, submit, dialog } = await openDialog({
    variables: [makeApiVariable()],
    path: '/variables?variable=5',
    answers: {
      'PATCH /api/variables/5': () =>
        Response.json({ error: 'Changed since', details: theirs }, { status: 409 }),
    },
  })
  type('API URL', 'https://example.org/mine.json')
  submit()
  const conflict = await dialog.findByRole('alert', { name: 'Conflicting changes' })
  const sides = within(conflict).getAllByRole<HTMLTextAreaElement>('textbox')
  expect(sides.map(({ value }) => value)).toEqual([
    'https://example.org/mine.json',
    'https://example.org/theirs.json',
    '{\n  "Authorization": "••••••••"\n}',
    '{\n  "X-Key": "••••••••"\n}',
  ])
  expect(conflict.innerHTML).not.toMatch(/s3cret|th31rs/)
  await userEvent.click(within(conflict).getByRole('button', { name: 'Keep mine and save' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.body).toMatchObject({ revision: 3, apiUrl: 'https://example.org/mine.json' })
})

test('a draft comes back with its type and fields, and with the stored header values', async () => {
  const options = { variables: [makeApiVariable()], path: '/variables?variable=5' }
  await openDialog(options)
  type('API URL', 'https://example.org/drafted.json')
  await screen.findByText('Draft kept on this device')
  cleanup()
  await openDialog(options)
  expect(screen.getByText('Your unsaved draft is back.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('API URL').value).toBe('https://example.org/drafted.json')
  expect(screen.getByLabelText<HTMLInputElement>('Value of header 1').value).toBe('Bearer s3cret')
})
