import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import AccountDialogs, { type AccountDialogKind } from './account-dialogs.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async () => Response.json({ error: 'Not found' }, { status: 404 }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

interface DialogsProps {
  first: AccountDialogKind
  instance?: { registration: 'open' | 'closed' }
}

function Dialogs({ first, instance = { registration: 'open' } }: DialogsProps) {
  const [kind, setKind] = useState<AccountDialogKind | null>(first)
  const [queryClient] = useState(() => {
    const client = createQueryClient()
    client.setQueryData(['instance'], { version: '1', commit: null, sandbox: false, models: [], ...instance })
    return client
  })
  return (
    <QueryClientProvider client={queryClient}>
      {kind && <AccountDialogs kind={kind} onChange={setKind} onClose={() => setKind(null)} />}
    </QueryClientProvider>
  )
}

function posts(): [string, unknown][] {
  return network.mock.calls.flatMap(([path, init]) =>
    init?.method === 'POST' ? [[path, JSON.parse(String(init.body))] as [string, unknown]] : [],
  )
}

test('Registering says what logging in says, and ‘Please enter a valid email address’.', async () => {
  render(<Dialogs first="register" />)
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText('Username must be at least 3 characters')).toBeTruthy()
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy()
  expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy()
  const again = screen.getByLabelText('Confirm password')
  expect(again.getAttribute('aria-describedby')).toBe(screen.getByText("Passwords don't match").id)
  expect(document.activeElement).toBe(screen.getByLabelText('Username'))
  expect(posts()).toEqual([])
})

test('Registering says ‘Passwords don’t match’ at confirmPassword.', async () => {
  render(<Dialogs first="register" />)
  await userEvent.type(screen.getByLabelText('Username'), 'ada')
  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.org')
  await userEvent.type(screen.getByLabelText('Password'), 'secret1')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'secret2')
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
  const message = await screen.findByText("Passwords don't match")
  expect(screen.getByLabelText('Confirm password').getAttribute('aria-describedby')).toBe(message.id)
  expect(posts()).toEqual([])
})

test('confirmPassword is not sent, and a refused registration shows the server’s words.', async () => {
  network.mockImplementation(async () => Response.json({ error: 'Username is taken' }, { status: 409 }))
  render(<Dialogs first="register" />)
  await userEvent.type(screen.getByLabelText('Username'), 'ada')
  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.org')
  await userEvent.type(screen.getByLabelText('Password'), 'secret1')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'secret1')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect((await screen.findByRole('alert')).textContent).toBe('Username is taken')
  expect(posts()).toEqual([
    ['/api/register', { username: 'ada', email: 'ada@example.org', password: 'secret1' }],
  ])
  expect(toastStore.getSnapshot()).toMatchObject([
    { title: 'Registration failed', description: 'Username is taken', variant: 'destructive' },
  ])
})

test('a refused login shows the server’s words in a banner and a toast', async () => {
  network.mockImplementation(async () => Response.json({ error: 'Wrong password' }, { status: 401 }))
  render(<Dialogs first="login" />)
  await userEvent.type(screen.getByLabelText('Username'), 'ada')
  await userEvent.type(screen.getByLabelText('Password'), 'secret1')
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong password')
  expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Login failed', description: 'Wrong password' }])
})

test('‘Authentication Required’ has its sentence, Cancel, Log in and Register.', () => {
  render(<Dialogs first="required" />)
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(names).toEqual(['Cancel', 'Log in', 'Register'])
})

test.each([
  { first: 'required' as const, names: ['Cancel', 'Log in'] },
  { first: 'login' as const, names: ['Close', 'Cancel', 'Log in'] },
])('Where nobody can register, nothing invites people to. ($first)', ({ first, names }) => {
  render(<Dialogs first={first} instance={{ registration: 'closed' }} />)
  const labels = screen
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)
  expect(labels.map((label) => label?.replace(/[^\w ].*$/, ''))).toEqual(names)
})

test('Log in and Create an account link to each other.', async () => {
  render(<Dialogs first="required" />)
  expect(
    screen.getByText('You need to be logged in to access this feature. Would you like to log in now?'),
  ).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create an account' }))
  await userEvent.click(screen.getByRole('button', { name: 'Log in instead' }))
  expect(screen.getByRole('dialog', { name: 'Log in' })).toBeTruthy()
})
