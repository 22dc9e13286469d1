import { ACTIVITY_KINDS, type ActivityRow, type User } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import ActivityPanel from './activity-panel.tsx'
import { sentenceOf } from './activity-sentences.ts'

const network = vi.fn<(path: string) => Promise<Response>>()
const asked: URL[] = []
let rows: ActivityRow[]
let role: User['role']

const row: ActivityRow = {
  id: 7,
  at: '2026-11-22T08:00:00.000Z',
  person: { id: 1, username: 'Ada' },
  kind: 'account.role_changed',
  object: { type: 'account', id: 2, name: 'Grace' },
  door: 'page',
  address: '203.0.113.7',
  before: { role: 'user' },
  after: { role: 'admin' },
  reason: null,
  count: 1,
  link: { number: 12, hash: 'ab' },
}

beforeEach(() => {
  asked.length = 0
  role = 'admin'
  rows = [row]
  window.history.replaceState(null, '', '/settings/activity')
  vi.stubGlobal('fetch', network)
  network.mockImplementation(async (path) => {
    const url = new URL(path, 'http://localhost')
    if (url.pathname === '/api/user')
      return Response.json({ id: 1, username: 'Ada', email: 'a@example.org', role })
    if (url.pathname === '/api/admin/users') return Response.json([])
    if (url.pathname === '/api/activity/state') {
      return Response.json({ linkedUntil: '2026-11-22T08:00:00.000Z', keptDays: 400 })
    }
    asked.push(url)
    return Response.json(rows, { headers: { 'x-total-count': String(rows.length) } })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  network.mockReset()
})

const show = () =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ActivityPanel />
    </QueryClientProvider>,
  )
const item = (name: RegExp) => screen.findByRole('button', { name })

test('Each row of the activity is a sentence, with time, person, door and address; it opens to before and after.', async () => {
  show()
  const button = await item(/changed the role of/)
  expect(button.textContent).toMatch(/Ada.*changed the role of Grace.*Page.*203\.0\.113\.7/)
  expect(screen.getByText('Kept for 400 days.')).toBeTruthy()
  await userEvent.click(button)
  expect(window.location.search).toBe('?open=7')
  const changes = within(await screen.findByRole('table'))
  expect(changes.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'FieldBeforeAfter',
    'roleuseradmin',
  ])
  expect(screen.getByText('Link 12')).toBeTruthy()
})

test('the move of a label is opened to its reason', async () => {
  const moved: ActivityRow = {
    ...row,
    kind: 'label.moved',
    object: { type: 'prompt', id: 3, name: 'Letter' },
    before: { version: 1 },
    after: { version: 2, moveId: 9 },
    reason: 'It was proven.',
  }
  rows = [moved]
  show()
  await userEvent.click(await item(/moved a label of Letter/))
  expect(await screen.findByText('“It was proven.”')).toBeTruthy()
  expect(screen.queryByText('moveId')).toBeNull()
})

test('refusals stand out with their count, and deleted people and typed names are said', async () => {
  const refused = {
    ...row,
    ...{ id: 8, person: null, kind: 'account.signed_in_refused', count: 11, before: null },
    after: { typedName: 'hu… 5f2c8a31…' },
    object: { type: 'account', id: null, name: null },
  } as const
  rows = [refused, { ...row, person: { id: 3, username: null } }]
  show()
  expect((await item(/failed to sign in/)).textContent).toMatch(/hu… 5f2c8a31….*failed to sign in.*× 11/)
  expect((await item(/changed the role of/)).textContent).toContain('deleted person')
})

test('The address of the page has the filters, and the export has them too.', async () => {
  window.history.replaceState(null, '', '/settings/activity?what=prompt&from=2026-11-22&refused=only')
  show()
  await item(/changed the role of/)
  const query = Object.fromEntries(asked.at(-1)?.searchParams ?? [])
  expect(query).toMatchObject({ object: 'prompt', refused: 'only', limit: '100', from: expect.any(String) })
  const file = () => screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  await vi.waitFor(() => expect(file()).toMatch(/^\/api\/admin\/activity\?.*object=prompt.*format=csv/))
  await userEvent.click(screen.getByRole('switch', { name: 'Refused only' }))
  expect(window.location.search).not.toContain('refused')
})

test('who is no administrator asks for their own, and is offered no choice of people', async () => {
  role = 'user'
  show()
  await screen.findByText(/^What you did/)
  await item(/changed the role of/)
  expect(asked.at(-1)?.pathname).toBe('/api/activity')
  expect(screen.queryByRole('combobox', { name: 'Who' })).toBeNull()
})

test('every kind is said in words', () => {
  for (const kind of ACTIVITY_KINDS) {
    const said = sentenceOf({ kind, object: row.object })
    expect(said.before, kind).toMatch(/^[a-z]+(ed|ade|ame|et|ost|id)( |$)/)
    const refused = sentenceOf({ kind: `${kind}_refused`, object: row.object })
    expect(refused.before, kind).toMatch(/^(was not allowed to|failed to) /)
  }
  expect(sentenceOf({ kind: 'chain.accepted', object: { ...row.object, name: 'Letter' } })).toEqual({
    before: 'allowed their tokens the shared chain',
    name: 'Letter',
    after: '',
  })
})
