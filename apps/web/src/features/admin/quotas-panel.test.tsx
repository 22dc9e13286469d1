import type { GroupQuota, PersonQuota } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import QuotasPanel from './quotas-panel.tsx'
import { makeAccount } from './testing/make-account.ts'

const network = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
const quotas: PersonQuota[] = [
  { quota: 'prompts', used: 1_204, bound: 2_000, usual: 10_000 },
  { quota: 'text', used: 900_000, bound: 200_000_000, usual: 200_000_000 },
  { quota: 'streams', used: null, bound: 50, usual: 50 },
]

const ofGroup: GroupQuota[] = [
  { quota: 'prompts', bound: 20_000, usual: 10_000 },
  { quota: 'streams', bound: null, usual: 50 },
]
const support = {
  ...{
    id: 3,
    name: 'Support',
    isBuiltIn: false,
    memberCount: 2,
    members: ['ada', 'grace'],
    leaders: ['ada'],
  },
  ...{ shareCount: 0, canEdit: true },
}

beforeEach(() => {
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path) => {
    if (path === '/api/groups') return Response.json([support])
    if (path === '/api/admin/groups/3/quotas') return Response.json(ofGroup)
    return Response.json(path.endsWith('/quotas') ? quotas : [makeAccount(1, 'ada'), makeAccount(2, 'grace')])
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <QuotasPanel />
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

test('what each person uses is shown, and their bounds are changed, emptied or refused', async () => {
  expect(await screen.findAllByText(/1,204 prompts · 3 chains · 1\.0 MB/)).toHaveLength(2)
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
    '“5,000” can be read in two ways. Write 5000 or 5',
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

test('a group gives its members limits, which are set beside those of people', async () => {
  await userEvent.click(await button('Limits of Support'))
  const prompts = await screen.findByLabelText<HTMLInputElement>('Prompts')
  expect(prompts.value).toBe('20000')
  expect(screen.getByText('At most 20,000')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Open streams').value).toBe('')
  await userEvent.clear(prompts)
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await vi.waitFor(() => expect(patches()).toEqual([['/api/admin/groups/3/quotas', { prompts: null }]]))
})
