import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { CLAUDE } from '../../features/admin/models/testing/model-examples.ts'
import { findCard } from '../testing/acts.ts'
import { instance, openApp, PROMPT } from '../testing/open-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const banner = (name: string) => screen.findByRole('complementary', { name })
const notices = { quiet: null, awaitsStart: false, backup: null }
const pending = { schedules: 2, mails: 0, jobs: 1, runs: 0 }

test('while the database is moved every page says that it can only be read, and a write is refused with why', async () => {
  const refused = { status: 503, json: { error: 'Catenary is being moved to another database' } }
  const calls = await openApp({
    failing: { call: 'PATCH /api/prompts/1/toggle', fault: refused },
    replies: { '/api/instance': { ...instance, readOnly: 'moving' } },
  })
  expect((await banner('Read only')).textContent).toContain('is being moved to another database')
  expect((await findCard(PROMPT)).getByText(/welcome for/)).toBeTruthy()
  await userEvent.click(await screen.findByRole('switch', { name: `Active: ${PROMPT}` }))
  await waitFor(() => expect(calls()).toBeGreaterThan(0))
  await screen.findAllByText(/Catenary is being moved to another database$/)
})

test('above every page of a restored copy stands that it is quiet, and how that ends', async () => {
  const quiet = { since: '2026-11-24T08:00:00.000Z', pending }
  await openApp({ path: '/variables', replies: { '/api/admin/notices': { ...notices, quiet } } })
  expect((await banner('Restored copy')).textContent).toContain('2 schedules, 0 mails, 1 job and 0 runs wait')
  expect(screen.getByRole('button', { name: 'Resume work' })).toBeTruthy()
})

test('Above every page administrators of a restored copy read that it is quiet and what waits, and once its work is resumed that a start is missing.', async () => {
  await openApp({ replies: { '/api/admin/notices': { ...notices, awaitsStart: true } } })
  expect((await banner('Restored copy')).textContent).toContain('resume after the next restart')
  expect(screen.queryByRole('button', { name: 'Resume work' })).toBeNull()
})

test('the banner of a failed backup leads to the backups', async () => {
  const backup = { what: 'drill', at: '2026-11-24T02:12:00.000Z', problem: 'It does not open' }
  await openApp({ replies: { '/api/admin/notices': { ...notices, backup } } })
  expect((await screen.findByRole('alert')).textContent).toContain('It does not open')
  await userEvent.click(screen.getByRole('button', { name: 'Backups' }))
  expect(await screen.findByRole('heading', { name: 'Backups', level: 1 })).toBeTruthy()
  expect(window.location.pathname).toBe('/settings/backups')
})

const sandboxed = { ...instance, sandbox: true }
const openai = {
  ...{
    id: 9,
    name: 'OpenAI',
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    isFromEnvironment: false,
  },
  ...{ keySetting: null, keyEnd: '2b3c', newKeyEnd: null, allowsPrivateAddress: false },
  ...{ addedBy: 'ada', addedAt: '2026-11-24T08:00:00.000Z' },
}

test('‘Add a key’ and the first step open one field in place, and the banner turns green there once a model answered.', async () => {
  const firstSteps = {
    ...{ isOver: false, hasKey: false, promptId: 1, chainId: null },
    done: { model: false, run: false, chain: false, code: false },
  }
  const gpt = {
    ...CLAUDE,
    alias: 'openai',
    label: 'GPT-4o',
    id: 2,
    isFromEnvironment: true,
    configured: false,
  }
  await openApp({
    replies: {
      '/api/instance': sandboxed,
      '/api/first-steps': firstSteps,
      '/api/admin/models': [gpt],
      'POST /api/admin/providers/list-models': {
        ...{ ok: true, models: ['gpt-4o', 'gpt-6-luna'], known: [], error: null, address: null },
      },
      'POST /api/admin/providers': openai,
      'PATCH /api/admin/models/2': { ...gpt, providerId: 9, configured: true },
      'POST /api/admin/models/openai/test': {
        ...{ ok: true, ms: 530, modelId: 'gpt-4o', error: null, address: null },
      },
    },
  })
  await banner('Sandbox')
  await userEvent.click(await screen.findByRole('button', { name: 'Add a model key' }))
  await screen.findByRole('form', { name: 'Add a key' })
  await userEvent.click(screen.getByRole('button', { name: 'Add a key' }))
  expect(screen.queryByRole('form')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Add a key' }))
  await userEvent.type(await screen.findByLabelText('Key'), 'sk-proj-key')
  await userEvent.click(screen.getByRole('button', { name: /^Test and add/ }))
  const done = await banner('Model key')
  expect(done.textContent).toContain('GPT-4o answered in 530 ms. Replies now come from OpenAI.')
  expect(done.contains(document.activeElement)).toBe(true)
  const more = screen.getByRole('link', { name: 'Choose more models' })
  expect(more.getAttribute('href')).toBe('/settings/models?add=9')
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('complementary', { name: 'Model key' })).toBeNull()
})

const grace = { id: 2, username: 'grace', email: 'grace@example.org', role: 'user' }

test.each([
  [['Ana'], 0, 'Ask Ana to add one.'],
  [['Ana', 'Ben'], 0, 'Ask Ana or Ben to add one.'],
  [['Ana', 'Ben'], 1, 'Ask Ana, Ben or 1 other to add one.'],
  [['Ana', 'Ben'], 3, 'Ask Ana, Ben or 3 others to add one.'],
  [[], 0, 'Ask an administrator to add one.'],
])(
  'Who may not add a model’s key is told whom to ask, by name. (%j and %i others)',
  async (names, others, says) => {
    await openApp({
      replies: {
        '/api/instance': sandboxed,
        '/api/user': grace,
        '/api/users/administrators': { names, others },
      },
    })
    const shown = await banner('Sandbox')
    await waitFor(() => expect(shown.textContent).toContain(says))
    expect(screen.queryByRole('button', { name: 'Add a key' })).toBeNull()
  },
)

test('A refusal that passes names whom to ask as well.', async () => {
  const error = 'Delete what you no longer need, or ask an administrator for more.'
  await openApp({
    failing: { call: 'PATCH /api/prompts/1/toggle', fault: { status: 403, json: { error } } },
    replies: { '/api/user': grace, '/api/users/administrators': { names: ['Ana'], others: 0 } },
  })
  await userEvent.click(await screen.findByRole('switch', { name: `Active: ${PROMPT}` }))
  await screen.findAllByText(/or ask Ana for more\.$/)
})

test('a guest and an administrator are told no names, and nobody is asked for them', async () => {
  for (const isGuest of [true, false]) {
    const calls = await openApp({
      isGuest,
      failing: { call: 'GET /api/users/administrators', fault: { status: 500 } },
      replies: { '/api/instance': { ...instance, readOnly: 'moved' } },
    })
    expect((await banner('Read only')).textContent).toContain('Ask an administrator for the new address')
    expect(calls()).toBe(0)
  }
})
