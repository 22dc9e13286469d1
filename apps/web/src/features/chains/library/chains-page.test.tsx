import type { ChainListItem } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeListedChain } from '../../../testing/make-chain.ts'
import { show } from '../testing/show.tsx'
import { stubChainApi, writesOf } from '../testing/stub-chain-api.ts'
import { ChainsPage } from './chains-page.tsx'

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/chains')
  // jsdom has no layout: what scrolls is given a height, or nothing would be in view.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(2000)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const tags = [
  { id: 3, name: 'weekly' },
  { id: 4, name: 'legal' },
]
const scheduled = [
  { chainId: 12, schedules: 2, nextRunAt: '2026-11-23T08:00:00.000Z', timeZone: 'UTC' },
  { chainId: 13, schedules: 1, nextRunAt: '2026-11-24T08:00:00.000Z', timeZone: 'UTC' },
]
const list = (chains: ChainListItem[]) => ({ 'GET /api/chains': () => Response.json(chains) })

const stub = (answers: Parameters<typeof stubChainApi>[0]) =>
  stubChainApi({
    'GET /api/chain-tags': () => Response.json(tags),
    'GET /api/scheduled-chains': () => Response.json(scheduled),
    'GET /api/latest-chain-runs': () => Response.json([]),
    ...answers,
  })

const showPage = () => show(<ChainsPage bestChain="Best Chain" />)

const menuOf = (name: string) => screen.findByRole('button', { name: `More: ${name}` })

async function choose(item: string, name = 'Monday digest') {
  await userEvent.click(await menuOf(name))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

const names = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))

test('A card says that its chain is scheduled, and when next.', async () => {
  const hidden = makeListedChain({ id: 13, name: 'Hiring', canView: false, steps: [] })
  stub(list([makeListedChain(), hidden, makeListedChain({ id: 14, name: 'Plain' })]))
  showPage()
  const card = await screen.findByRole('article', { name: 'Monday digest' })
  const link = await within(card).findByRole('link', { name: 'Scheduled, next Nov 23, 2026 8:00 AM' })
  expect(link.getAttribute('href')).toBe('/chains/12/scheduled')
  expect(link.getAttribute('title')).toMatch(/, 2 schedules$/)
  expect(screen.getAllByRole('link', { name: /^Scheduled/ })).toHaveLength(1)
})

test('A card shows the name, ‘(No access)’, description or ‘No description’, three tags and ‘+N more’, ‘N step(s)’, the local date, and who sees it.', async () => {
  const many = [...tags, { id: 5, name: 'a' }, { id: 6, name: 'b' }, { id: 7, name: 'c' }]
  const hidden = makeListedChain({
    id: 13,
    name: 'Hiring',
    canView: false,
    canDelete: false,
    steps: [],
    tags: [],
  })
  const plain = makeListedChain({ id: 14, name: 'Plain', description: '', tags: [], sharedLevel: 'public' })
  stub(list([makeListedChain({ tags: many }), hidden, plain]))
  showPage()
  const card = within(await screen.findByRole('article', { name: 'Monday digest' }))
  expect(card.getByText('What customers told us.')).toBeTruthy()
  expect(card.getByText('a')).toBeTruthy()
  expect(card.queryByText('b')).toBeNull()
  expect(card.getByText('+2 more')).toBeTruthy()
  expect(card.getByText(/^3 step\(s\) · /)).toBeTruthy()
  expect(card.getByText('May 2, 2026')).toBeTruthy()
  expect(card.getByText('Private')).toBeTruthy()
  expect(card.getByRole('link', { name: 'Monday digest' }).getAttribute('href')).toBe('/chains/12')
  const closed = within(screen.getByRole('article', { name: 'Hiring (No access)' }))
  expect(closed.queryByRole('link')).toBeNull()
  expect(closed.queryByRole('button')).toBeNull()
  expect(closed.queryByText(/No description|step\(s\)/)).toBeNull()
  const open = within(screen.getByRole('article', { name: 'Plain' }))
  expect(open.getByText('No description')).toBeTruthy()
  expect(open.getByText('Public')).toBeTruthy()
  for (const point of ['Use global variables', 'Pass outputs forward', 'Transform results']) {
    expect(screen.getByRole('heading', { name: point })).toBeTruthy()
  }
})

test('mine and shared with me are asked for, kept in the address, and filtered here as well', async () => {
  window.history.replaceState(null, '', '/chains')
  const mine = makeListedChain({ owner: 'ada' })
  const given = makeListedChain({ id: 13, name: 'Given', owner: 'olga', sharedLevel: 'shared' })
  stub({
    ...list([mine, given]),
    'GET /api/user': () => Response.json({ id: 1, username: 'ada', email: 'a@example.org', role: 'user' }),
    'GET /api/chains?ownership=mine': () => new Promise<Response>(() => undefined),
    'GET /api/chains?ownership=shared': () => Response.json([given]),
  })
  showPage()
  await userEvent.click(await screen.findByRole('radio', { name: 'Mine' }))
  await waitFor(() => expect(names()).toEqual(['Monday digest']))
  expect(window.location.search).toBe('?ownership=mine')
  await userEvent.click(screen.getByRole('radio', { name: 'Shared with me' }))
  await waitFor(() => expect(names()).toEqual(['Given']))
})

test('The list of chains filters by repeated tag ids, again on the client.', async () => {
  window.history.replaceState(null, '', '/chains?tags=3,4')
  const other = makeListedChain({ id: 13, name: 'Other', tags: [{ id: 8, name: 'x' }] })
  const answer = () => Response.json([makeListedChain(), other])
  const sent = stub({ 'GET /api/chains/by-tags?tagIds=3&tagIds=4': answer })
  showPage()
  await screen.findByRole('article', { name: 'Monday digest' })
  expect(names()).toEqual(['Monday digest'])
  expect(sent.map(({ key }) => key)).not.toContain('GET /api/chains')
})

test('The list of chains filters by search and visibility.', async () => {
  const contract = makeListedChain({ id: 13, name: 'Contract', sharedLevel: 'public', tags: [] })
  stub({
    ...list([makeListedChain(), contract]),
    'GET /api/chains?visibility=public': () => Response.json([contract]),
    'GET /api/chains?search=digest&visibility=public': () => Response.json([]),
  })
  showPage()
  await screen.findByRole('article', { name: 'Contract' })
  await userEvent.click(screen.getByRole('button', { name: 'Visibility: Any visibility' }))
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Public' }))
  expect(names()).toEqual(['Contract'])
  await userEvent.type(screen.getByRole('searchbox'), 'digest')
  expect(await screen.findByText('No chains found.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(names()).toHaveLength(2))
})

test('↓ from the search of chains reaches the first card that opens, Enter opens an only hit, and Shift Enter runs it.', async () => {
  const hidden = makeListedChain({ id: 13, name: 'Digest of others', canView: false, steps: [] })
  stub({
    ...list([hidden, makeListedChain()]),
    'GET /api/chains?search=monday': () => Response.json([makeListedChain()]),
  })
  const showInMain = async () => {
    show(
      <main>
        <ChainsPage bestChain="Best Chain" />
      </main>,
    )
    await screen.findByRole('article', { name: 'Monday digest' })
    return screen.getByRole('searchbox')
  }
  const search = await showInMain()
  await userEvent.type(search, '{Enter}{ArrowDown}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Monday digest'))
  expect(window.location.pathname).toBe('/chains')
  await userEvent.type(search, 'monday{Enter}')
  await waitFor(() => expect(window.location.pathname).toBe('/chains/12'))
  expect(window.history.state).toBeNull()

  cleanup()
  window.history.replaceState(null, '', '/chains')
  await userEvent.type(await showInMain(), 'monday{Shift>}{Enter}{/Shift}')
  await waitFor(() => expect(window.location.pathname).toBe('/chains/12'))
  expect(window.history.state).toEqual({ run: true })
})

test('‘Create New Chain’ and ‘Create Your First Chain’ are for signed-in people; an empty list says ‘No chains found.’, and shows a guest what a chain is.', async () => {
  stub(list([]))
  showPage()
  expect(await screen.findByText('No chains found.')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Create Your First Chain' })).toBeTruthy()
  cleanup()
  stub({ ...list([]), 'GET /api/user': () => Response.json({ error: 'No' }, { status: 401 }) })
  showPage()
  expect(await screen.findByText('No chains found.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Create/ })).toBeNull()
  expect(screen.getByText(/thank-you note about this/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Log in to create one' })).toBeTruthy()
})

test('Best Chain API Access stands below the grid, for signed-in people.', async () => {
  for (const chains of [[makeListedChain()], []]) {
    stub(list(chains))
    showPage()
    expect(await screen.findByText('Best Chain')).toBeTruthy()
    cleanup()
  }
  stub({
    ...list([makeListedChain()]),
    'GET /api/user': () => Response.json({ error: 'No' }, { status: 401 }),
  })
  showPage()
  await screen.findByRole('article', { name: 'Monday digest' })
  expect(screen.queryByText('Best Chain')).toBeNull()
})

test('A list that can’t be loaded says ‘Failed to load chains. Please try again.’', async () => {
  stub({
    'GET /api/chains': [
      () => Response.json({ error: 'Down' }, { status: 500 }),
      () => Response.json([makeListedChain()]),
    ],
  })
  showPage()
  expect(await screen.findByText('Failed to load chains. Please try again.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('article', { name: 'Monday digest' })).toBeTruthy()
})

test('The create form validates, is private by default, and after a save closes, resets and refreshes: ‘Chain created’.', async () => {
  const sent = stub({
    'GET /api/chains': [() => Response.json([]), () => Response.json([makeListedChain()])],
    'POST /api/chains': [
      () => Response.json({ error: 'Full' }, { status: 500 }),
      () => Response.json(makeChain({ steps: [] }), { status: 201 }),
    ],
  })
  showPage()
  await userEvent.click(await screen.findByRole('button', { name: 'Create New Chain' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Chain' }))
  const submit = () => userEvent.click(dialog.getByRole('button', { name: /Create Chain/ }))
  await submit()
  expect(await dialog.findByText('Name is required')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Name'), 'n'.repeat(101))
  expect(await dialog.findByText('Name must be less than 100 characters')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Name'), '{Backspace}')
  expect(dialog.getByRole('switch').getAttribute('aria-checked')).toBe('false')
  await submit()
  expect(await screen.findByText('500: Full')).toBeTruthy()
  await userEvent.click(dialog.getByRole('switch'))
  await submit()
  expect(await screen.findByText('Your chain has been created successfully.')).toBeTruthy()
  const fields = {
    name: 'n'.repeat(100),
    description: '',
    stopsWithoutValue: 'unwatched',
    stopsWhenCut: 'unwatched',
    asksFirst: false,
    exampleRequests: [],
  }
  expect(writesOf(sent).map(({ body }) => body)).toEqual([
    { ...fields, sharedLevel: 'private' },
    { ...fields, sharedLevel: 'public' },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('article', { name: 'Monday digest' })).toBeTruthy()
})

test.each([
  ['‘Create and open’', () => userEvent.click(screen.getByRole('button', { name: /^Create and open/ }))],
  ['Enter', () => userEvent.keyboard('{Enter}')],
  ['Ctrl Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
])('%s creates a chain and opens it', async (_how, submit) => {
  stub({ 'POST /api/chains': () => Response.json(makeChain({ id: 31, steps: [] }), { status: 201 }) })
  showPage()
  await userEvent.click(await screen.findByRole('button', { name: 'Create New Chain' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Chain' }))
  await userEvent.type(dialog.getByLabelText('Name'), 'Launch')
  await submit()
  await waitFor(() => expect(window.location.pathname).toBe('/chains/31'))
})

test('Deleting a chain asks and reports in the list.', async () => {
  const sent = stub({
    'GET /api/chains': [() => Response.json([makeListedChain()]), () => Response.json([])],
    'DELETE /api/chains/12': [
      () => Response.json({ error: 'Busy' }, { status: 500 }),
      () => new Response(null, { status: 204 }),
    ],
  })
  showPage()
  for (const message of ['500: Busy', 'The chain has been deleted successfully.']) {
    await choose('Delete')
    expect(
      await screen.findByText('Are you sure you want to delete this chain? This action cannot be undone.'),
    ).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(message)).toBeTruthy()
  }
  expect(await screen.findByText('No chains found.')).toBeTruthy()
  expect(writesOf(sent)).toHaveLength(2)
})

test('A card says how the newest run ended.', async () => {
  const chains = ['running', 'failed', 'completed', 'cancelled'].map((name, index) =>
    makeListedChain({ id: 20 + index, name }),
  )
  const finishedAt = new Date(Date.now() - 2 * 3_600_000 - 1000).toISOString()
  const run = { stepCount: 5, completedSteps: 2, executedAt: finishedAt }
  const latest = [
    { ...run, chainId: 20, id: 1, status: 'running', finishedAt: null },
    { ...run, chainId: 21, id: 2, status: 'failed', finishedAt },
    { ...run, chainId: 22, id: 3, status: 'completed', finishedAt },
    { ...run, chainId: 23, id: 4, status: 'cancelled', finishedAt },
  ]
  stub({ ...list(chains), 'GET /api/latest-chain-runs': () => Response.json(latest) })
  showPage()
  const noteOf = async (name: string) => {
    const card = within(await screen.findByRole('article', { name }))
    const links = await waitFor(() => {
      const runs = card.getAllByRole('link').filter((link) => link.getAttribute('href')?.includes('?run='))
      expect(runs).toHaveLength(1)
      return runs
    })
    return links.map((note) => [note.textContent, note.getAttribute('href')])[0]
  }
  expect(await noteOf('running')).toEqual(['running 3 of 5', '/chains/20?run=1'])
  expect(await noteOf('failed')).toEqual(['failed 2 hours ago', '/chains/21?run=2'])
  expect(await noteOf('completed')).toEqual(['done 2 hours ago', '/chains/22?run=3'])
  expect(await noteOf('cancelled')).toEqual(['stopped 2 hours ago', '/chains/23?run=4'])
})

test('The introduction can be put away.', async () => {
  stub(list([makeListedChain()]))
  showPage()
  await screen.findByRole('article', { name: 'Monday digest' })
  await userEvent.click(screen.getByRole('button', { name: 'Hide this introduction' }))
  expect(screen.queryByRole('region', { name: 'About chains' })).toBeNull()
  cleanup()
  showPage()
  await screen.findByRole('article', { name: 'Monday digest' })
  expect(screen.queryByRole('region', { name: 'About chains' })).toBeNull()
})

test('A card runs its chain; what else can be done stands in its menu, as far as this person may.', async () => {
  const hidden = makeListedChain({ id: 13, name: 'Hiring', canView: false, canExecute: false, steps: [] })
  const given = makeListedChain({ id: 14, name: 'Given', owner: 'ines', canEdit: false, canDelete: false })
  stub(list([makeListedChain(), hidden, given]))
  showPage()
  const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
  await userEvent.click(await menuOf('Hiring'))
  expect(items()).toEqual(['Delete'])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await menuOf('Given'))
  expect(items()).toEqual(['Edit', 'Scheduled Runs', 'Select'])
  expect(screen.getByRole('menuitem', { name: 'Edit' }).getAttribute('aria-disabled')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: 'Execute Chain: Hiring' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Execute Chain: Monday digest' }))
  expect(window.location.pathname).toBe('/chains/12')
  expect(window.history.state).toEqual({ run: true })
})

test('Cards are chosen from their menu too, and then tagged or deleted together.', async () => {
  const chains = [makeListedChain({ tags: [] }), makeListedChain({ id: 13, name: 'Weekly note', tags: [] })]
  const sent = stub({
    ...list(chains),
    'POST /api/chains/bulk': () => Response.json({ done: [12, 13], failed: [] }),
  })
  showPage()
  await choose('Select')
  const bar = within(await screen.findByRole('toolbar', { name: 'Selected chains' }))
  await choose('Select', 'Weekly note')
  expect(await bar.findByText('2 selected')).toBeTruthy()
  const chosen = screen.getByRole('link', { name: 'Weekly note' })
  expect(chosen.getAttribute('aria-description')).toBe('Selected')
  await userEvent.click(bar.getByRole('button', { name: 'Tags' }))
  await userEvent.click(await screen.findByRole('button', { name: 'legal' }))
  await waitFor(() =>
    expect(writesOf(sent)).toEqual([
      { key: 'POST /api/chains/bulk', body: { ids: [12, 13], action: 'tag', tagId: 4 } },
    ]),
  )
  await choose('Select', 'Weekly note')
  expect(await bar.findByText('1 selected')).toBeTruthy()
})
