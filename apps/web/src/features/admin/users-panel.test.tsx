import type { ManagedUser, PersonQuota } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import { UsersPanel } from './users-panel.tsx'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
let users: ManagedUser[]
const quotas: PersonQuota[] = [
  { quota: 'prompts', used: 1_204, bound: 2_000, usual: 10_000 },
  { quota: 'text', used: 900_000, bound: 200_000_000, usual: 200_000_000 },
  { quota: 'streams', used: null, bound: 50, usual: 50 },
]

const account = (id: number, username: string, fields: Partial<ManagedUser> = {}): ManagedUser => ({
  id,
  username,
  email: `${username}@example.org`,
  addressState: null,
  role: 'user',
  disabled: false,
  usage: {
    text: 900_000,
    prompts: 1_204,
    versions: 2_310,
    variables: 11,
    files: 2,
    uploads: 100_000,
    chains: 3,
    steps: 14,
    tags: 7,
    categories: 4,
    suites: 1,
    cases: 9,
  },
  createdAt: '2026-11-01T08:00:00.000Z',
  lastSeenAt: null,
  ...fields,
})

beforeEach(() => {
  users = [
    account(1, 'ada', { role: 'admin' }),
    account(2, 'grace'),
    account(3, 'edsger', { disabled: true }),
  ]
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path, init) => {
    if (path === '/api/user') return Response.json(users[0])
    if (path === '/api/admin/users') return Response.json(users)
    if (path.endsWith('/quotas')) return Response.json(quotas)
    const user = users.find(({ id }) => path === `/api/admin/users/${id}`)
    return Response.json({ ...user, ...JSON.parse(String(init?.body)) })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <UsersPanel />
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
  await userEvent.type(await screen.findByLabelText('Search users'), 'GRACE@')
  expect(screen.getByText('1 account')).toBeTruthy()
  expect(screen.queryByText('edsger')).toBeNull()
  await userEvent.type(screen.getByLabelText('Search users'), 'x')
  expect(screen.getByText('No users found')).toBeTruthy()
})

test('what each person uses is shown, and their bounds are changed, emptied or refused', async () => {
  expect(await screen.findAllByText(/1,204 prompts · 3 chains · 1\.0 MB/)).toHaveLength(3)
  await userEvent.click(await button('Limits of grace'))
  const prompts = await screen.findByLabelText<HTMLInputElement>('Prompts')
  expect(prompts.value).toBe('2000')
  expect(screen.getByText('1,204 of 2,000 used')).toBeTruthy()
  expect(screen.getByText('900.0 kB of 200.0 MB used')).toBeTruthy()
  expect(screen.getByText('At most 50')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Bytes of text'), 'many')
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/number/i)
  expect(patches()).toEqual([])
  await userEvent.clear(screen.getByLabelText('Bytes of text'))
  await userEvent.type(screen.getByLabelText('Bytes of text'), '5,000')
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    '“5,000” can be read in two ways: write 5000 or 5',
  )
  await userEvent.type(
    screen.getByLabelText('Bytes of text'),
    '{Backspace}{Backspace}{Backspace}{Backspace}000',
  )
  await userEvent.clear(prompts)
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(patches()).toEqual([['/api/admin/users/2/quotas', { text: 5_000, prompts: null }]])
})
