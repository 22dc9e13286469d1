import type { ManagedUser } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import PeoplePanel from './people-panel.tsx'
import { makeAccount } from './testing/make-account.ts'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let users: ManagedUser[]

beforeEach(() => {
  users = [
    makeAccount(1, 'ada', { role: 'admin' }),
    makeAccount(2, 'grace'),
    makeAccount(3, 'edsger', { disabled: true }),
  ]
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) => {
    if (path === '/api/user') return Response.json(users[0])
    if (path === '/api/admin/users') return Response.json(users)
    const user = users.find(({ id }) => path === `/api/admin/users/${id}`)
    return Response.json({ ...user, ...JSON.parse(String(init?.body)) })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <PeoplePanel />
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const patches = () =>
  network.mock.calls.flatMap(([path, init]) =>
    init?.method === 'PATCH' ? [[path, JSON.parse(String(init.body))]] : [],
  )

test('disabling asks first, then says so', async () => {
  await userEvent.click(await button('Disable grace'))
  expect(screen.getByRole('alertdialog', { name: 'Disable grace?' })).toBeTruthy()
  expect(patches()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }))
  expect(await button('Enable grace')).toBeTruthy()
  expect(patches()).toEqual([['/api/admin/users/2', { disabled: true }]])
  expect(toastStore.getSnapshot()).toMatchObject([
    { title: 'User updated', description: 'grace has been disabled' },
  ])
})

test('enabling happens at once', async () => {
  await userEvent.click(await button('Enable edsger'))
  expect(await button('Disable edsger')).toBeTruthy()
  expect(patches()).toEqual([['/api/admin/users/3', { disabled: false }]])
})

test('nobody can disable themselves', async () => {
  await vi.waitFor(async () => expect((await button('Disable ada')).disabled).toBe(true))
  expect(screen.getByText('You')).toBeTruthy()
})

test('a refusal keeps the account as it is and shows the reason', async () => {
  await button('Enable edsger')
  network.mockImplementation(async () => Response.json({ error: 'Not that one' }, { status: 409 }))
  await userEvent.click(await button('Enable edsger'))
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([
      { title: 'Error', description: 'Failed to update user: Not that one', variant: 'destructive' },
    ]),
  )
  expect(await button('Enable edsger')).toBeTruthy()
})

test('the search looks at names and addresses', async () => {
  await userEvent.type(await screen.findByLabelText('Search people'), 'GRACE@')
  expect(screen.getByText('1 account')).toBeTruthy()
  expect(screen.queryByText('edsger')).toBeNull()
  await userEvent.type(screen.getByLabelText('Search people'), 'x')
  expect(screen.getByText('No one found')).toBeTruthy()
})
