import type { Group, GroupDetails, GroupMaking } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { toastStore } from '../../lib/toast.ts'
import GroupsPanel from './groups-panel.tsx'

const user = { id: 1, username: 'ada', email: 'ada@example.org', role: 'admin' }
const everyone: Group = {
  ...{ id: 1, name: 'everyone', isBuiltIn: true, memberCount: 41, members: [], leaders: [] },
  ...{ shareCount: 9, canEdit: false },
}
const support: Group = {
  ...{ id: 2, name: 'Support', isBuiltIn: false, memberCount: 2, members: ['ana', 'ines'], leaders: ['ana'] },
  ...{ shareCount: 3, canEdit: true },
}
const shares: GroupDetails['shares'] = [
  { kind: 'prompt', id: 11, title: 'Refund reply', role: 'viewer' },
  { kind: 'chain', id: 12, title: 'Damaged parcel', role: 'editor' },
]

let role: 'admin' | 'user'
let making: GroupMaking
let groups: Group[]
/** What was written, as method and path, and its body. */
let written: [string, unknown][]
let refusal: string | undefined

beforeEach(() => {
  role = 'admin'
  making = { madeBy: 'admins', canMake: true }
  groups = [everyone, support]
  written = []
  refusal = undefined
  // What jsdom lacks of a browser and the kit's lists ask for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  window.history.replaceState(null, '', '/settings/groups')
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET'
    if (method !== 'GET') {
      written.push([`${method} ${path}`, init?.body ? JSON.parse(String(init.body)) : undefined])
      if (refusal !== undefined) return Response.json({ error: refusal }, { status: 409 })
    }
    if (method === 'DELETE') return new Response(null, { status: 204 })
    if (path === '/api/user') return Response.json({ ...user, role })
    if (path === '/api/groups/making') return Response.json(making)
    if (path === '/api/admin/groups') return Response.json({ madeBy: 'everyone', canMake: true })
    if (path === '/api/groups')
      return Response.json(method === 'GET' ? groups : support, { status: method === 'GET' ? 200 : 201 })
    if (path === '/api/groups/1') return Response.json({ ...everyone, shares: [], hiddenShares: null })
    if (path.startsWith('/api/users/search')) return Response.json([{ id: 7, username: 'supriya' }])
    return Response.json(method === 'GET' ? { ...support, shares, hiddenShares: 1 } : support)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <GroupsPanel />
    </QueryClientProvider>,
  )
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }))

test('A group opens to who is in it, who leads it and what is shared with it, and its address says so.', async () => {
  show()
  expect(await screen.findByText('1, and everyone')).toBeTruthy()
  await press('Support')
  expect(window.location.search).toBe('?group=2')
  const members = within(await screen.findByRole('region', { name: 'Members of Support' }))
  expect(members.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'analeader',
    'ines',
  ])
  const shared = within(screen.getByRole('region', { name: 'Shared with Support' }))
  expect((await shared.findByRole('link', { name: /^Refund reply/ })).getAttribute('href')).toBe(
    '/?prompt=11',
  )
  expect(shared.getByRole('link', { name: /^Damaged parcel/ }).getAttribute('href')).toBe('/chains/12')
  expect(shared.getByText('and 1 that you can’t see')).toBeTruthy()
  await press('Support')
  expect(window.location.search).toBe('')
})

test('Leaders add and remove people, and say who leads.', async () => {
  show()
  await press('Support')
  await press('Add')
  await userEvent.type(await screen.findByPlaceholderText('Username'), 'sup')
  await screen.findByRole('option', { name: 'supriya' })
  await userEvent.keyboard('{Enter}')
  await press('More: ines')
  await choose('Make a leader')
  await press('More: ana')
  await choose('No longer a leader')
  await press('More: ines')
  await choose('Remove from the group')
  await vi.waitFor(() =>
    expect(written).toEqual([
      ['PUT /api/groups/2/members', { usernames: ['ana', 'ines', 'supriya'] }],
      ['PATCH /api/groups/2', { leaders: ['ana', 'ines'] }],
      ['PATCH /api/groups/2', { leaders: [] }],
      ['PUT /api/groups/2/members', { usernames: ['ana'] }],
    ]),
  )
})

test('a group is made, renamed and deleted; a name that is taken is said at the field', async () => {
  show()
  await press(/^New group/)
  await userEvent.type(await screen.findByLabelText('Name'), ' Support ')
  refusal = 'Group exists'
  await press(/^Create/)
  expect((await screen.findByRole('alert')).textContent).toBe('Group exists')
  refusal = undefined
  await press(/^Create/)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // It is open then.
  await press('Rename')
  await userEvent.clear(await screen.findByLabelText('Name'))
  await userEvent.type(screen.getByLabelText('Name'), 'Care')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^Rename/ }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Delete')
  const asked = within(await screen.findByRole('alertdialog', { name: 'Delete “Support”?' }))
  expect(
    asked.getByText(
      /^What is shared only with this group \(3 prompts and chains\) is lost at once to 2 people\./,
    ),
  ).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: 'Delete' }))
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()[0]).toMatchObject({ title: 'The group “Support” was deleted' }),
  )
  expect(written).toEqual([
    ['POST /api/groups', { name: 'Support' }],
    ['POST /api/groups', { name: 'Support' }],
    ['PATCH /api/groups/2', { name: 'Care' }],
    ['DELETE /api/groups/2', undefined],
  ])
})

test('Admins say who may make groups.', async () => {
  show()
  await userEvent.click(await screen.findByRole('radio', { name: 'Everyone' }))
  await vi.waitFor(() => expect(written).toEqual([['PUT /api/admin/groups', { madeBy: 'everyone' }]]))
})

test('a member sees who is in a group and changes nothing', async () => {
  role = 'user'
  making = { madeBy: 'admins', canMake: false }
  groups = [everyone, { ...support, canEdit: false }]
  show()
  await press('Support')
  expect(await screen.findByText('ines')).toBeTruthy()
  for (const name of ['Add', 'Rename', 'Delete', 'More: ines', /^New group/])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('radio', { name: 'Everyone' })).toBeNull()
})

test.each([
  [0, /^Nothing yet\. Share a prompt or chain/],
  [9, 'Nothing that you can see.'],
])('of %i shared with a group its member sees none', async (shareCount, text) => {
  role = 'user'
  groups = [{ ...everyone, shareCount }]
  show()
  await press('everyone')
  expect(await screen.findByText(text)).toBeTruthy()
})
