import type { ChainListItem, Group, UsageRun, Variable, View } from '@catenary/contracts'
import { expect, test, vi } from 'vitest'
import { makePrompt } from '../../testing/make-prompt.ts'
import type { PaletteActions, PaletteContext } from './palette-command.ts'
import {
  chainEntries,
  groupEntries,
  promptEntries,
  variableEntries,
  viewEntries,
} from './palette-destinations.ts'
import { searchChoices, searchPalette } from './palette-search.ts'

const ada = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' as const }
const member: PaletteContext = {
  status: 'signed-in',
  user: ada,
  isAdmin: false,
  path: '/',
  promptId: null,
  theme: 'dark',
  canRegister: true,
}
const guest: PaletteContext = {
  status: 'anonymous',
  user: null,
  isAdmin: false,
  path: '/',
  promptId: null,
  theme: 'dark',
  canRegister: true,
}

const prompts = [
  makePrompt({ id: 4, title: 'Predigested news' }),
  makePrompt({ id: 1, title: 'Turn notes into a weekly digest' }),
  makePrompt({ id: 2, title: 'Digest', category: 'Analysis', tags: [{ id: 1, name: 'monday' }] }),
  makePrompt({ id: 3, title: 'Digest of a thread', isActive: false }),
  makePrompt({ id: 5, title: 'Résumé in five points', category: 'General' }),
]
const variables = [
  { id: 7, name: 'brand_voice', canEdit: true, owner: 'grace', tags: [] },
  { id: 8, name: 'digest_day', canEdit: false, tags: [] },
] as unknown as Variable[]
const chains = [
  {
    id: 11,
    name: 'Monday round',
    owner: 'grace',
    canView: true,
    steps: [{ id: 1 }],
    tags: [{ id: 1, name: 'weekly' }],
  },
  { id: 12, name: 'Hiring round', canView: false, steps: [{ id: 2 }], tags: [] },
  { id: 13, name: 'Empty round', canView: true, steps: [], tags: [] },
] as unknown as ChainListItem[]

const views: View[] = [
  { id: 21, name: 'Letters', page: 'prompts', query: 'search=letter&sort=title' },
  { id: 22, name: 'Public chains', page: 'chains', query: 'visibility=public' },
]

const ownGroups = [{ id: 31, name: 'Support leads' }] as unknown as Group[]

const categories = ['General', 'Writing', 'Analysis'].map((name, index) => ({
  id: index + 1,
  name,
  count: 1,
}))

function setUp({ context = member, isKnown = true, all = prompts, runs = [] as UsageRun[] } = {}) {
  const actions = {
    goTo: vi.fn(),
    guard: vi.fn((action: () => void) => context.user && action()),
    openDialog: vi.fn(),
    openAccountDialog: vi.fn(),
    chooseTheme: vi.fn(),
    logOut: vi.fn(),
    addCategory: vi.fn(),
    moveTo: vi.fn(),
  } satisfies PaletteActions
  const library = isKnown
    ? {
        prompts: promptEntries(all),
        variables: variableEntries(variables),
        chains: chainEntries(chains),
        views: viewEntries(views),
        groups: groupEntries(ownGroups),
        categories,
        runs,
      }
    : null
  const groups = (query: string) => searchPalette({ query, library, actions, context })
  const find = (query: string) =>
    Object.fromEntries(
      groups(query).map(({ heading, commands }) => [heading, commands.map(({ label }) => label)]),
    )
  const choose = (query: string, label: string) => {
    const command = groups(query)
      .flatMap(({ commands }) => commands)
      .find((command) => command.label === label)
    if (!command) throw new Error(`The palette has no “${label}”.`)
    command.run?.()
    return command
  }
  return { actions, find, choose, groups }
}

test('the schedules of a chain are found by their word, and on its pages without its name', () => {
  const { actions, find, choose } = setUp()
  expect(find('monday')['Go to']).not.toContain('Scheduled Runs: Monday round')
  choose('scheduled monday', 'Scheduled Runs: Monday round')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11/scheduled' })
  expect(find('schedule')['Go to']).not.toContain('Schedule Run')
  for (const path of ['/chains/11', '/chains/11/scheduled']) {
    const here = setUp({ context: { ...member, path } })
    here.choose('schedule run', 'Schedule Run')
    expect(here.actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11', params: { schedule: 'new' } })
    here.choose('scheduled', 'Scheduled Runs')
    expect(here.actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11/scheduled' })
  }
  const asGuest = setUp({ context: { ...guest, path: '/chains/11' } })
  expect(asGuest.find('schedule run')['Go to'] ?? []).not.toContain('Schedule Run')
})

test('the exact title comes first, then its beginning, its words, their middle; what is off is not run', () => {
  const { find, groups } = setUp()
  expect(find('digest')).toEqual({
    Run: ['Execute: Digest', 'Execute: Turn notes into a weekly digest', 'Execute: Predigested news'],
    'Go to': [
      'Digest',
      'Digest of a thread',
      'digest_day',
      'Turn notes into a weekly digest',
      'Predigested news',
    ],
    Create: ['New prompt “digest”', 'New variable “digest”', 'New chain “digest”', 'New category “digest”'],
  })
  expect(groups('digest').map(({ heading }) => heading)).toEqual(['Run', 'Go to', 'Create'])
})

test('words match in any order, without accents, and by category, tag or verb', () => {
  const { find } = setUp()
  expect(find('points RESUME')['Go to']).toEqual(['Résumé in five points'])
  expect(find('analysis dig')['Go to']).toEqual(['Digest'])
  expect(find('monday').Run).toEqual(['Execute Chain: Monday round', 'Execute: Digest'])
  expect(find('run résumé')).toMatchObject({ Run: ['Execute: Résumé in five points'] })
  expect(find('run résumé')['Go to']).toBeUndefined()
})

test('the group with the best match comes first', () => {
  const headings = (query: string) =>
    setUp()
      .groups(query)
      .map(({ heading }) => heading)
  expect(headings('variables')[0]).toBe('Go to')
  expect(headings('dark')[0]).toBe('Theme')
  expect(headings('new prompt Haiku')[0]).toBe('Create')
  expect(headings('log out')[0]).toBe('Account')
  expect(headings('')).toEqual(['Run', 'Go to', 'Create', 'Theme', 'Account'])
})

test('The palette finds, runs and creates everything.', () => {
  const { find, choose, actions } = setUp()
  expect(find('new prompt Haiku of the day').Create).toEqual(['New prompt “Haiku of the day”'])
  choose('new prompt Haiku of the day', 'New prompt “Haiku of the day”')
  expect(actions.goTo).toHaveBeenCalledWith({
    path: '/',
    params: { prompt: 'new' },
    state: { name: 'Haiku of the day' },
  })
  choose('brand tone!', 'New variable “brand_tone”')
  expect(actions.goTo).toHaveBeenLastCalledWith({
    path: '/variables',
    params: { variable: 'new' },
    state: { name: 'brand_tone' },
  })
  expect(choose('new cat', 'New category')).toMatchObject({ fill: 'New category ' })
  expect(actions.addCategory).not.toHaveBeenCalled()
  choose('New category Legal', 'New category “Legal”')
  expect(actions.addCategory).toHaveBeenCalledWith('Legal')
})

test('while the library is on its way, nothing is created by what may be its name', () => {
  const { find } = setUp({ isKnown: false })
  expect(find('digest')).toEqual({})
  expect(find('new prompt').Create).toEqual(['New prompt'])
})

test('a guest finds the ways in, and is asked to log in for all that needs it', () => {
  const { find, choose, actions } = setUp({ context: guest })
  expect(find('')).toMatchObject({ Account: ['Log in', 'Create an account'] })
  expect(find('settings')['Go to']).toBeUndefined()
  expect(find('sessions')['Go to']).toBeUndefined()
  const closed = setUp({ context: { ...guest, canRegister: false } })
  expect(closed.find('')).toMatchObject({ Account: ['Log in'] })
  choose('digest', 'Execute: Digest')
  choose('digest', 'New prompt “digest”')
  choose('digest', 'New category “digest”')
  expect(actions.guard).toHaveBeenCalledTimes(3)
  expect(actions.goTo).not.toHaveBeenCalled()
})

test('sections of the settings are found by name and by what is done there, by whom they are for', () => {
  const { find, choose, actions } = setUp()
  choose('time zone', 'Time zone')
  choose('theme', 'Appearance')
  expect(actions.goTo.mock.calls).toEqual([
    [{ path: '/settings/time-zone' }],
    [{ path: '/settings/appearance' }],
  ])
  choose('audit', 'Activity')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/settings/activity' })
  expect(find('api key')['Go to'] ?? []).not.toContain('Models')
  const admin = setUp({ context: { ...member, isAdmin: true } })
  admin.choose('api key', 'Models')
  expect(admin.actions.goTo).toHaveBeenCalledWith({ path: '/settings/models' })
})

test('places: a prompt over the library, an own variable’s form, another’s in the list', () => {
  const { choose, actions } = setUp()
  choose('digest', 'Digest')
  choose('brand', 'brand_voice')
  choose('digest', 'digest_day')
  expect(actions.goTo.mock.calls).toEqual([
    [{ path: '/', params: { prompt: '2' } }],
    [{ path: '/variables', params: { variable: '7' } }],
    [{ path: '/variables', params: { search: 'digest_day' } }],
  ])
})

test('of 10,000 prompts a handful is listed, the best among them wherever it stands', () => {
  const all = Array.from({ length: 10_000 }, (_, id) =>
    makePrompt({ id, title: `Report ${id} on the weather` }),
  )
  const { find } = setUp({ all: [...all, makePrompt({ id: 10_001, title: 'Weather' })] })
  const { Run, 'Go to': places } = find('weather')
  expect(Run).toHaveLength(5)
  expect(Run?.[0]).toBe('Execute: Weather')
  expect(places).toHaveLength(8)
})

test('a chain that may be seen is found by name or tag and opened; a new one takes the typed name', () => {
  const { actions, find, choose } = setUp()
  expect(find('round')['Go to']).toEqual(['Monday round', 'Empty round'])
  choose('weekly', 'Monday round')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11' })
  choose('new chain Release notes', 'New chain “Release notes”')
  expect(actions.goTo).toHaveBeenLastCalledWith({
    path: '/chains',
    params: { chain: 'new' },
    state: { name: 'Release notes' },
  })
})

test('a chain with steps is run by its name; a guest is asked to log in', () => {
  const { actions, find, choose } = setUp()
  expect(find('run round').Run).toEqual(['Execute Chain: Monday round'])
  choose('round', 'Execute Chain: Monday round')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11', state: { run: true } })
  const asGuest = setUp({ context: guest })
  asGuest.choose('round', 'Execute Chain: Monday round')
  expect(asGuest.actions.guard).toHaveBeenCalledOnce()
  expect(asGuest.actions.goTo).not.toHaveBeenCalled()
})

test('The palette finds tokens.', () => {
  const { find, choose, actions } = setUp()
  const everywhere = ['New MCP token', 'New read token', 'New Best Chain token']
  expect(find('token').Create).toEqual(everywhere)
  choose('new best chain token Front desk', 'New Best Chain token “Front desk”')
  const params = { token: 'new' }
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains', params, state: { name: 'Front desk' } })
  choose('new mcp token Laptop', 'New MCP token “Laptop”')
  const agents = { token: 'new', of: 'mcp' }
  expect(actions.goTo).toHaveBeenLastCalledWith({
    path: '/connect',
    params: agents,
    state: { name: 'Laptop' },
  })
  const onChain = setUp({ context: { ...member, path: '/chains/12' } })
  expect(onChain.find('token').Create).toEqual(['New API token', ...everywhere])
  onChain.choose('new api token', 'New API token')
  expect(onChain.actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/12', params, state: { name: '' } })
  expect(onChain.find('digest').Create?.join()).not.toContain('token')
  expect(onChain.find('').Create?.join()).not.toContain('token')
})

test('The palette finds saved views by name and by what they are.', () => {
  const { find, choose, actions } = setUp()
  expect(find('view public')['Go to']).toEqual(['Public chains'])
  choose('lett', 'Letters')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/?search=letter&sort=title' })
  choose('public cha', 'Public chains')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains?visibility=public' })
  expect(find('')['Go to']).not.toContain('Letters')
})

test('The palette finds one’s groups by name and by what they are.', () => {
  const { find, choose, actions } = setUp()
  expect(find('group supp')['Go to']).toEqual(['Support leads'])
  choose('leads', 'Support leads')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/settings/groups', params: { group: '31' } })
  expect(find('')['Go to']).not.toContain('Support leads')
})

test('The palette hands over what one owns, once it is asked to.', () => {
  const mine = { ...ada, username: 'grace' }
  const { find, choose, actions } = setUp({ context: { ...member, user: mine } })
  expect(find('digest')['Go to']?.join()).not.toContain('Hand over')
  expect(find('hand over')['Go to']?.filter((label) => label.startsWith('Hand over:'))).toEqual([
    'Hand over: Monday round',
    'Hand over: brand_voice',
  ])
  choose('hand over brand', 'Hand over: brand_voice')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/variables', params: { 'hand-over': '7' } })
  choose('hand over monday', 'Hand over: Monday round')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11', params: { 'hand-over': '11' } })
  const ownPrompts = setUp()
  ownPrompts.choose('hand over resume', 'Hand over: Résumé in five points')
  expect(ownPrompts.actions.goTo).toHaveBeenLastCalledWith({ path: '/', params: { 'hand-over': '5' } })
  expect(setUp({ context: guest }).find('hand over')['Go to'] ?? []).toEqual([])
})

const runOf = (fields: Partial<UsageRun>) =>
  ({ kind: 'prompt', promptId: null, chainId: null, name: 'Digest', ...fields }) as UsageRun

test('What was run last stands first, each once, and is run again.', () => {
  const runs = [
    runOf({ promptId: 2, name: 'Digest' }),
    runOf({ kind: 'chain', chainId: 11, name: 'Monday round' }),
    runOf({ promptId: 2, name: 'Digest' }),
    runOf({ promptId: 99, name: null }),
    // It is switched off by now.
    runOf({ promptId: 3, name: 'Digest of a thread' }),
  ]
  const { groups, find, choose, actions } = setUp({ runs })
  expect(groups('')[0]).toMatchObject({ heading: 'Recently run' })
  expect(find('')['Recently run']).toEqual(['Digest', 'Monday round'])
  expect(find('recent')['Recently run']).toEqual(['Digest', 'Monday round'])
  expect(find('dig')['Recently run']).toBeUndefined()
  choose('', 'Digest')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/execute/2' })
  choose('', 'Monday round')
  expect(actions.goTo).toHaveBeenLastCalledWith({ path: '/chains/11', state: { run: true } })
})

test('A prompt is moved to a category by its name, and the one in view without typing.', () => {
  const { find, groups, actions } = setUp({ context: { ...member, promptId: 5 } })
  expect(find('')['Go to']).toContain('Move to category: Résumé in five points')
  expect(find('digest')['Go to']?.join()).not.toContain('Move')
  expect(find('move digest')['Go to']).toContain('Move to category: Digest')
  const [move] = groups('move resume').flatMap(({ commands }) => commands)
  const choices = move?.choices
  if (!choices) throw new Error('It asks for the category')
  expect(searchChoices(choices, '')).toMatchObject([
    { heading: 'Move “Résumé in five points” to', commands: expect.any(Array) },
  ])
  const [analysis] = searchChoices(choices, 'ana').flatMap(({ commands }) => commands)
  analysis?.run?.()
  expect(actions.moveTo).toHaveBeenCalledWith({
    prompt: expect.objectContaining({ id: 5 }),
    category: categories[2],
  })
})
