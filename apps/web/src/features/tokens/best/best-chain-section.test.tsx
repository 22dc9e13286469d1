import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeListedChain } from '../../../testing/make-chain.ts'
import { CreatedAt } from '../last-used.tsx'
import { bestDetails, makeBestToken, makeSelection, makeTokenRun } from '../testing/make-token.ts'
import { openTokens } from '../testing/open-tokens.tsx'
import BestChainSection from './best-chain-section.tsx'

const LIST = 'GET /api/best-tokens'
const SELECTIONS = 'GET /api/best-selections?limit=20'
const OFFERS = 'GET /api/chain-offers'
const VALUE = 'ctb_7sQmaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const chains = [
  makeListedChain({ id: 12, name: 'Support answer', description: 'Drafts an answer.' }),
  makeListedChain({ id: 13, name: 'SQL analyst', description: '' }),
]
const named = chains.map(({ id, name }) => ({ id, name }))

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/chains')
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Opened {
  canManage?: boolean
  choices?: typeof chains
}

function open(
  answers: Parameters<typeof openTokens>[1],
  { canManage = true, choices = chains }: Opened = {},
) {
  return openTokens(<BestChainSection canManage={canManage} />, {
    [SELECTIONS]: () => Response.json([]),
    [OFFERS]: () => Response.json([]),
    'GET /api/chains': () => Response.json(choices),
    ...answers,
  })
}

const seen = (text: string | RegExp) => screen.findByText(text)

test('Best Chain has texts for an empty list, and ‘Failed to load API tokens’.', async () => {
  open({ [LIST]: [() => Response.json({ error: 'Down' }, { status: 500 }), () => Response.json([])] })
  expect(await seen('Failed to load API tokens')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await seen('No Best Chain API tokens created yet.')).toBeTruthy()
  expect(screen.getByText('Create a token to use automatic chain selection via API.')).toBeTruthy()
})

test('A row of a Best Chain token has ‘Unnamed Token’, ‘Token hidden’, the chains, ‘Never used’ or ‘Unknown’, and copy, edit and delete.', async () => {
  const plain = makeBestToken({
    lastSelection: { chainId: 12, chainName: 'Support answer', confidence: 0.93 },
  })
  const bare = makeBestToken({
    id: 9,
    name: '',
    token: '',
    includesAllChains: false,
    lastUsed: new Date(Date.now() - 86_400_000).toISOString(),
  })
  const some = makeBestToken({
    id: 10,
    name: 'Intranet',
    includesAllChains: false,
    includedChainIds: [12, 13],
    includedChains: named,
  })
  open({ [LIST]: () => Response.json([plain, bare, some]) })
  await screen.findByRole('button', { name: 'Front desk' })
  const row = (name: string) => within(screen.getByRole('button', { name }).closest('tr') as HTMLElement)
  const shows = (name: string, text: string) => expect(row(name).getAllByText(text)).not.toHaveLength(0)
  shows('Front desk', 'ctb_7sQm…')
  shows('Front desk', 'All accessible chains')
  shows('Front desk', 'Never used')
  shows('Front desk', '0.93')
  shows('Unnamed Token', 'Token hidden')
  shows('Unnamed Token', 'yesterday')
  shows('Unnamed Token', 'reaches no chain')
  shows('Intranet', 'Support answer, SQL analyst')
})

test('an age that can’t be read is unknown', () => {
  openTokens(<CreatedAt time="long ago" />, {})
  expect(screen.getByText('Unknown')).toBeTruthy()
})

test('A Best Chain token’s dialog has ‘Include all my accessible chains’, on at first, and the chain picker, and is disabled without a chain.', async () => {
  const written = open({
    [LIST]: () => Response.json([]),
    'POST /api/own-tokens': () => Response.json({ ...bestDetails(), token: VALUE }, { status: 201 }),
  })
  const fill = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Create Token' }))
    const form = within(await screen.findByRole('dialog', { name: 'Create Best Chain API Token' }))
    await userEvent.type(form.getByLabelText('Token Name'), ' Front desk ')
    return form
  }
  const close = async () => {
    expect(await screen.findByLabelText(/^Value of/)).toHaveProperty('value', VALUE)
    expect(
      screen.getByText('After this it stays hidden, but the list of tokens can still copy it.'),
    ).toBeTruthy()
    expect(screen.getByText('This token will only be shown once. Copy it now!')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  }
  const first = await fill()
  const all = first.getByRole('checkbox', { name: 'Include all my accessible chains' })
  expect(all).toHaveProperty('checked', true)
  await userEvent.click(first.getByRole('button', { name: /^Create Token/ }))
  await close()
  const second = await fill()
  await userEvent.click(second.getByRole('checkbox', { name: 'Include all my accessible chains' }))
  expect(
    second.getByText('Please select at least one chain or choose "Include all my accessible chains."'),
  ).toBeTruthy()
  const submit = second.getByRole('button', { name: /^Create Token/ })
  expect(submit).toHaveProperty('disabled', true)
  await userEvent.click(second.getByRole('checkbox', { name: /SQL analyst/ }))
  await userEvent.click(second.getByRole('button', { name: /^Limits and behaviour/ }))
  await userEvent.click(second.getByRole('switch', { name: 'Ask when unsure' }))
  await userEvent.click(submit)
  await close()
  expect(written).toMatchObject([
    { body: { name: 'Front desk', tokenType: 'best', scopes: ['chains', 'run'], threshold: null } },
    { body: { name: 'Front desk', tokenType: 'best', scopes: ['chain:13', 'run'], threshold: 0.6 } },
  ])
})

test('‘No chains available. Please create chains first.’', async () => {
  open({ [LIST]: () => Response.json([]) }, { choices: [] })
  await userEvent.click(await screen.findByRole('button', { name: 'Create Token' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Include all my accessible chains' }))
  expect(await seen('No chains available. Please create chains first.')).toBeTruthy()
})

test('Editing an emptied token widens nothing by itself (D38).', async () => {
  const written = open({
    [LIST]: () => Response.json([makeBestToken({ includesAllChains: false })]),
    'GET /api/own-tokens/8': () => Response.json(bestDetails({ scopes: ['run'] })),
    'PATCH /api/own-tokens/8': () => Response.json(bestDetails()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Front desk' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Best Chain API Token' }))
  const all = form.getByRole('checkbox', { name: 'Include all my accessible chains' })
  const save = form.getByRole('button', { name: /Save Changes/ })
  expect(all).toHaveProperty('checked', false)
  expect(save).toHaveProperty('disabled', true)
  await userEvent.click(all)
  await userEvent.click(save)
  expect(await seen('Token updated')).toBeTruthy()
  expect(written).toMatchObject([{ body: { scopes: ['chains', 'run'] } }])
})

test('a token whose chains stay as they are is saved without them', async () => {
  const some = makeBestToken({
    includesAllChains: false,
    includedChainIds: [12, 99],
    includedChains: named.slice(0, 1),
  })
  const details = bestDetails({ scopes: ['chain:12', 'chain:99', 'run'], namedChains: named.slice(0, 1) })
  const written = open({
    [LIST]: () => Response.json([some]),
    'GET /api/own-tokens/8': () => Response.json(details),
    'PATCH /api/own-tokens/8': () => Response.json(details),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Front desk' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Best Chain API Token' }))
  expect(form.getByRole('checkbox', { name: /Support answer/ })).toHaveProperty('checked', true)
  await userEvent.type(form.getByLabelText('Token Name'), ' 2')
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(written).toHaveLength(1))
  expect(written[0]?.body).not.toHaveProperty('scopes')
})

test('Without the permission, create and delete of Best Chain tokens are disabled with their titles, and edit is hidden.', async () => {
  open({ [LIST]: () => Response.json([makeBestToken()]) }, { canManage: false })
  const remove = await screen.findByRole('button', { name: 'Delete Front desk' })
  expect(remove.title).toBe("You don't have permission to delete tokens")
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  const create = screen.getByRole('button', { name: 'Create Token' })
  expect(create.title).toBe("You don't have permission to create tokens")
  expect(screen.queryByRole('button', { name: 'Edit Front desk' })).toBeNull()
})

test('a deleted token is gone by its own call', async () => {
  const written = open({
    [LIST]: [() => Response.json([makeBestToken()]), () => Response.json([])],
    'DELETE /api/tokens/8': () => new Response(null, { status: 204 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Front desk' }))
  expect(await seen('Are you sure you want to delete this token? This action cannot be undone.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await seen('Token deleted')).toBeTruthy()
  expect(written.map(({ key }) => key)).toEqual(['DELETE /api/tokens/8'])
})

test('The last selections show request, chain, confidence, reason and scores; ‘Should have been …’ makes an example (D45).', async () => {
  const corrected = makeSelection({ correctedTo: { chainId: 13, chainName: 'SQL analyst' } })
  const written = open({
    [LIST]: () => Response.json([makeBestToken()]),
    [SELECTIONS]: [() => Response.json([makeSelection()]), () => Response.json([corrected])],
    'POST /api/best-selections/31/correction': [
      () => Response.json({ error: 'Busy' }, { status: 500 }),
      () => Response.json({ selection: corrected, example: 'added' }),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'My export stops at ten thousand rows.' }))
  expect(screen.getByText('0.93')).toBeTruthy()
  expect(screen.getByText(/It is a complaint that wants an answer\./)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Run #218' }).getAttribute('href')).toBe('/chains/12?history=open')
  const scores = within(screen.getByRole('list', { name: 'Scores of request 31' })).getAllByRole('listitem')
  expect(scores.map(({ textContent }) => textContent)).toEqual([
    'Support answer (chosen)1.00',
    'SQL analyst0.40',
  ])
  for (const message of ['Error correcting selection', 'The request is now an example for that chain.']) {
    await userEvent.click(screen.getByRole('button', { name: /^Should have been/ }))
    await userEvent.click(await screen.findByRole('option', { name: 'SQL analyst' }))
    expect(await seen(message)).toBeTruthy()
  }
  expect(written.map(({ body }) => body)).toEqual([{ chainId: 13 }, { chainId: 13 }])
  await waitFor(() => expect(screen.getAllByText('SQL analyst').length).toBeGreaterThan(2))
})

test('a token opens only its own runs and selections', async () => {
  const asked = makeSelection({ id: 32, asked: true, executionId: null, confidence: 0.2, request: 'Hm?' })
  open({
    [LIST]: () => Response.json([makeBestToken()]),
    'GET /api/best-selections?limit=20&tokenId=8': () => Response.json([asked]),
    'GET /api/tokens/8/executions?limit=20': () => Response.json([makeTokenRun()]),
  })
  expect(await seen(/^No requests yet/)).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Front desk' }))
  const run = await screen.findByRole('link', { name: 'Support answer' })
  expect(run.getAttribute('href')).toBe('/chains/12?history=open')
  await userEvent.click(screen.getByRole('button', { name: 'Show its selections only' }))
  expect(await seen('asked back')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(await seen(/^No requests yet/)).toBeTruthy()
})
