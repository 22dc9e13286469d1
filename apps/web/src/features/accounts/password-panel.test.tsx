import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import PasswordPanel from './password-panel.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let reply: () => Response

beforeEach(() => {
  reply = () => new Response(null, { status: 204 })
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path) =>
    path === '/api/user'
      ? Response.json({ id: 1, username: 'ada', email: 'ada@example.org', role: 'user' })
      : reply(),
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <PasswordPanel />
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const posts = () =>
  network.mock.calls.flatMap(([path, init]) =>
    init?.method === 'POST' ? [[path, JSON.parse(String(init.body))]] : [],
  )
async function fill(confirmation = 'a new password') {
  await userEvent.type(field('Current password'), 'an old password')
  await userEvent.type(field('New password'), 'a new password')
  await userEvent.type(field('Confirm new password'), confirmation)
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
}

test('two different new passwords are refused, and nothing is sent', async () => {
  await fill('another password')
  expect(await screen.findByText("Passwords don't match")).toBeTruthy()
  expect(posts()).toEqual([])
})

test('a change is sent without the confirmation, reported, and empties the fields', async () => {
  await fill()
  await vi.waitFor(() => expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Password changed' }]))
  expect(posts()).toEqual([
    ['/api/account/password', { currentPassword: 'an old password', newPassword: 'a new password' }],
  ])
  expect(field('Current password').value).toBe('')
  expect(field('New password').value).toBe('')
})

test('An error is shown at its field, which has the focus, and says what to do.', async () => {
  const message = 'The current password is wrong'
  reply = () =>
    Response.json({ error: message, details: [{ path: 'currentPassword', message }] }, { status: 400 })
  await fill()
  expect(await screen.findByText(message)).toBeTruthy()
  await vi.waitFor(() => expect(document.activeElement).toBe(field('Current password')))
})

test('any other refusal stands above the form', async () => {
  reply = () => Response.json({ error: 'Too many failed sign-ins. Try again in 15 min.' }, { status: 429 })
  await fill()
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Too many failed sign-ins. Try again in 15 min.',
  )
})
