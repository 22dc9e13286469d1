import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { toastStore } from '../../lib/toast.ts'
import { makeApiVariable, makeVariable } from './testing/make-variable.ts'
import { openVariables } from './testing/open-variables.tsx'

const long =
  'Warm, exact, no exclamation marks. We say what a thing does before we say more, and end when it is said.'
const voice = makeVariable({ content: long })

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('Guests see disabled buttons and ‘Log in to create variables.’', async () => {
  openVariables({ user: null, variables: [{ ...voice, canEdit: false, canDelete: false }] })
  expect(await screen.findByText('Log in to create variables.')).toBeTruthy()
  for (const name of ['New variable', 'Edit brand_voice', 'Delete brand_voice']) {
    expect(await screen.findByRole('button', { name })).toHaveProperty('disabled', true)
  }
})

test('A text’s preview has 60 characters, its tooltip 100 (40 is the specification’s other reading).', async () => {
  openVariables({ variables: [voice] })
  expect((await screen.findAllByText(`${long.slice(0, 60)}…`)).length).toBeGreaterThan(0)
  const [, inTable] = screen.getAllByText(`${long.slice(0, 60)}…`)
  await userEvent.hover(inTable as HTMLElement)
  expect((await screen.findByRole('tooltip')).textContent).toBe(`${long.slice(0, 100)}…`)
})

test('Variables stand in a table with type, preview, tags, and how often each is used: ‘6 prompts’, ‘1 prompt, 1 chain’, ‘not used’.', async () => {
  const drive = makeVariable({ id: 6, name: 'terms', type: 'googleDrive', googleDriveFileName: 'Terms 2026' })
  openVariables({
    variables: [voice, makeApiVariable(), drive],
    answers: {
      'GET /api/variables/usage': () =>
        Response.json([
          { id: 4, prompts: 6, chains: 0 },
          { id: 5, prompts: 1, chains: 1 },
        ]),
    },
  })
  await screen.findAllByText('6 prompts')
  const textOf = (name: RegExp) => screen.getByRole('row', { name }).textContent
  expect(textOf(/release_notes/)).toMatch(/api.*https:\/\/example\.org\/latest\.json.*1 prompt, 1 chain/)
  expect(textOf(/terms/)).toMatch(/googleDrive.*Terms 2026.*not used/)
})

test('↓ from the search of variables reaches the first row, and Enter opens an only hit.', async () => {
  const { history } = openVariables({
    variables: [voice, makeApiVariable()],
    answers: { 'GET /api/variables?search=brand': () => Response.json([voice]) },
  })
  await screen.findByRole('button', { name: 'release_notes' })
  const search = screen.getByRole('searchbox')
  await userEvent.type(search, '{Enter}{ArrowDown}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('brand_voice'))
  expect(history.at(-1)).not.toContain('variable=')
  await userEvent.type(search, 'brand{Enter}')
  await waitFor(() => expect(history.at(-1)).toContain('variable=4'))
})

test('The table holds a thousand variables.', async () => {
  const variables = Array.from({ length: 1000 }, (_, index) =>
    makeVariable({ id: index + 1, name: `variable_${index}` }),
  )
  openVariables({ variables })
  const table = await screen.findByRole('table', { name: 'Variables' })
  expect(table.getAttribute('aria-rowcount')).toBe('1001')
  expect(screen.getAllByRole('row').length).toBeLessThan(100)
})

test('Deleting a variable asks by the browser’s own dialog, and names what uses it.', async () => {
  const { sent } = openVariables({
    variables: [voice],
    answers: {
      'DELETE /api/variables/4': () => new Response(null, { status: 204 }),
      'GET /api/variables/4/usage': () =>
        Response.json({
          prompts: [{ id: 1, title: 'Launch email', canEdit: true }],
          chains: [{ id: 2, name: 'Weekly digest', canEdit: false, steps: 1 }],
        }),
    },
  })
  const confirm = vi.fn(() => false)
  vi.stubGlobal('confirm', confirm)
  const button = await screen.findByRole('button', { name: 'Delete brand_voice' })
  await userEvent.click(button)
  await waitFor(() =>
    expect(confirm).toHaveBeenCalledWith(
      'Delete the variable “brand_voice”? It is used by 1 prompt, 1 chain: “Launch email”, “Weekly digest”. They keep $<brand_voice> as written.',
    ),
  )
  expect(sent).toEqual([])
  confirm.mockReturnValue(true)
  await userEvent.click(button)
  expect(await screen.findByText('Variable deleted')).toBeTruthy()
  expect(sent).toEqual([{ key: 'DELETE /api/variables/4', body: undefined }])
})

test('Copying a reference shows a toast for 1500 ms.', async () => {
  openVariables({ variables: [voice] })
  const clipboard = userEvent.setup()
  await clipboard.click(await screen.findByRole('button', { name: 'Copy $<brand_voice>' }))
  await waitFor(() => expect(toastStore.getSnapshot()[0]).toMatchObject({ duration: 1500 }))
  expect(await navigator.clipboard.readText()).toBe('$<brand_voice>')
})

test('‘Fetch API’ fetches the value: ‘Variable Content Fetched’, ‘Successfully fetched content for {variable}’.', async () => {
  const { history } = openVariables({
    variables: [makeApiVariable()],
    answers: {
      'GET /api/variables/5/preview': () => Response.json({ preview: '{ "version": 1 }' }),
      'GET /api/proxy?url=https%3A%2F%2Fexample.org%2Flatest.json&variableId=5': () =>
        Response.json({
          content: '{ "version": 2 }',
          contentType: 'application/json',
          fetchedAt: '2026-05-02T10:00:00.000Z',
        }),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Preview release_notes' }))
  expect(history.at(-1)).toContain('preview=5')
  const dialog = within(await screen.findByRole('dialog', { name: 'release_notes' }))
  await waitFor(() => expect(dialog.getByRole('figure').textContent).toContain('1'))
  await userEvent.click(dialog.getByRole('button', { name: 'Fetch API' }))
  expect(await screen.findByText('Variable Content Fetched')).toBeTruthy()
  expect(screen.getByText('Successfully fetched content for release_notes')).toBeTruthy()
  await waitFor(() => expect(dialog.getByRole('figure').textContent).toContain('2'))
})

test('A preview of an API variable that fails looks like an error.', async () => {
  const error = 'The address answered with status 500'
  openVariables({
    variables: [makeApiVariable()],
    path: '/variables?preview=5',
    answers: {
      'GET /api/variables/5/preview': () =>
        Response.json({ preview: `Error loading content: ${error}`, error }),
    },
  })
  const dialog = within(await screen.findByRole('dialog', { name: 'release_notes' }))
  expect((await dialog.findByRole('alert')).textContent).toBe(`Error loading content: ${error}`)
  expect(dialog.queryByRole('figure')).toBeNull()
})

test('A fetch that fails says ‘Failed to fetch variable content: {reason}’.', async () => {
  openVariables({
    variables: [makeApiVariable()],
    path: '/variables?preview=5',
    answers: {
      'GET /api/variables/5/preview': () => Response.json({ preview: 'No API URL specified' }),
      'GET /api/proxy?url=https%3A%2F%2Fexample.org%2Flatest.json&variableId=5': () =>
        Response.json({ error: 'example.org did not answer' }, { status: 502 }),
    },
  })
  expect(await screen.findByText('No API URL specified')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Fetch API' }))
  expect(await screen.findByText('Failed to fetch variable content: example.org did not answer')).toBeTruthy()
})
