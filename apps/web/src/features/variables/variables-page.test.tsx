import type { User, Variable } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { Toaster } from '../../components/ui/toast.tsx'
import { toastStore } from '../../components/ui/toast-store.ts'
import { TooltipProvider } from '../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../lib/query-client.ts'
import { VariableDialog } from './variable-dialog.tsx'
import { VariablesPage } from './variables-page.tsx'

const ada: User = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }
const long =
  'Warm, exact, no exclamation marks. We say what a thing does before we say more, and end when it is said.'
const voice: Variable = {
  id: 4,
  name: 'brand_voice',
  type: 'text',
  content: long,
  apiUrl: '',
  apiHeaders: {},
  googleDriveFileId: '',
  googleDriveFileName: '',
  googleDriveMimeType: '',
  tags: [],
  isPublic: true,
  owner: 'ada',
  revision: 2,
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-02T10:00:00.000Z',
  canEdit: true,
  canDelete: true,
}

let sent: { key: string; body: unknown }[]

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

function openPage({
  user,
  variables,
  answers = {},
}: {
  user: User | null
  variables: Variable[]
  answers?: Record<string, () => Response>
}) {
  sent = []
  const all: Record<string, () => Response> = {
    'GET /api/user': () => (user ? Response.json(user) : Response.json({ error: 'No' }, { status: 401 })),
    'GET /api/variables': () => Response.json(variables),
    ...answers,
  }
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    if (!key.startsWith('GET')) {
      sent.push({ key, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    }
    return all[key]?.() ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
  vi.stubGlobal('ResizeObserver', NoResize)
  const { hook, searchHook } = memoryLocation({ path: '/variables' })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <Router hook={hook} searchHook={searchHook}>
          <VariablesPage
            renderEditor={(props) => <VariableDialog {...props} renderTagInput={() => null} />}
          />
        </Router>
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
}

/** jsdom has no layout to observe. */
class NoResize {
  observe() {}
  unobserve() {}
  disconnect() {}
}

test('a guest sees disabled buttons and is told to log in', async () => {
  openPage({ user: null, variables: [{ ...voice, canEdit: false, canDelete: false }] })
  expect(await screen.findByText('Log in to create variables.')).toBeTruthy()
  for (const name of ['New variable', 'Edit brand_voice', 'Delete brand_voice']) {
    expect(await screen.findByRole('button', { name })).toHaveProperty('disabled', true)
  }
})

test('a long text is cut at 60 characters, in its tooltip at 100', async () => {
  openPage({ user: ada, variables: [voice] })
  expect((await screen.findAllByText(`${long.slice(0, 60)}…`)).length).toBeGreaterThan(0)
  expect(screen.getByTitle(`${long.slice(0, 100)}…`)).toBeTruthy()
})

test('deleting asks the browser first, and a refusal leaves everything', async () => {
  openPage({
    user: ada,
    variables: [voice],
    answers: { 'DELETE /api/variables/4': () => new Response(null, { status: 204 }) },
  })
  const confirm = vi.fn(() => false)
  vi.stubGlobal('confirm', confirm)
  const button = await screen.findByRole('button', { name: 'Delete brand_voice' })
  await userEvent.click(button)
  expect(sent).toEqual([])
  confirm.mockReturnValue(true)
  await userEvent.click(button)
  expect(await screen.findByText('Variable deleted')).toBeTruthy()
  expect(sent).toEqual([{ key: 'DELETE /api/variables/4', body: undefined }])
})

test('copying puts the reference on the clipboard and says so for 1500 ms', async () => {
  openPage({ user: ada, variables: [voice] })
  const clipboard = userEvent.setup()
  await clipboard.click(await screen.findByRole('button', { name: 'Copy $<brand_voice>' }))
  await waitFor(() => expect(toastStore.getSnapshot()[0]).toMatchObject({ duration: 1500 }))
  expect(await navigator.clipboard.readText()).toBe('$<brand_voice>')
})

test('a variable needs a name, and one that is taken is said at the field', async () => {
  openPage({
    user: ada,
    variables: [voice],
    answers: {
      'POST /api/variables': () =>
        Response.json({ error: 'There is already a variable named tone' }, { status: 409 }),
    },
  })
  const create = await screen.findByRole('button', { name: 'New variable' })
  await waitFor(() => expect(create).toHaveProperty('disabled', false))
  await userEvent.click(create)
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Variable' }))
  await userEvent.click(dialog.getByRole('button', { name: /Create Variable/ }))
  expect(await dialog.findByText('Name is required')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Name'), 'x'.repeat(51))
  expect(await dialog.findByText('Name must be less than 50 characters')).toBeTruthy()
  await userEvent.clear(dialog.getByLabelText('Name'))
  await userEvent.type(dialog.getByLabelText('Name'), 'tone')
  await userEvent.click(dialog.getByRole('button', { name: /Create Variable/ }))
  expect(await screen.findByText('Error creating variable')).toBeTruthy()
  expect(dialog.getByText('There is already a variable named tone')).toBeTruthy()
  expect(sent[0]?.body).toEqual({ name: 'tone', type: 'text', content: '', isPublic: false, tagIds: [] })
})
