import type { Prompt } from '@catenary/contracts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeListedChain } from '../../../testing/make-chain.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import {
  makeOwnToken,
  makeReadToken,
  makeTokenDetails,
  makeTokenRun,
  readDetails,
} from '../testing/make-token.ts'
import { openConnect } from '../testing/open-connect.tsx'
import { stubClipboard } from '../testing/open-tokens.tsx'

const OWN = 'GET /api/own-tokens'
const VALUE = 'ctr_4Lmnaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const AGENT_VALUE = 'ctm_8dWnaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const complaint = makePrompt({
  id: 21,
  slug: 'answer-a-complaint',
  title: 'Answer a complaint',
  owner: 'ada',
})
const listed = ({ othersNames: _, ...prompt }: Prompt) => prompt
const OFFERED = {
  'GET /api/prompts': () =>
    Response.json([complaint, makePrompt({ id: 22, title: 'Weekly digest' })].map(listed)),
  'GET /api/chains': () => Response.json([makeListedChain({ id: 12, name: 'Support answer' })]),
}
const billing = makeOwnToken({
  ...{ id: 6, name: 'Billing service', token: 'ctr_4Lmn', tokenType: 'read', prompts: 1, chains: 0 },
  lastUsed: '2026-11-20T10:00:00.000Z',
})
type Form = ReturnType<typeof within>
const labelOf = (id: string) => document.querySelector(`label[for="${id}"]`)?.textContent ?? ''
const aliasesOf = (...aliases: string[]) =>
  Response.json(aliases.map((alias) => ({ alias, createdAt: '2026-11-01T10:00:00.000Z' })))
const ANSWERS = {
  [OWN]: () => Response.json([billing]),
  'GET /api/read-tokens': () => Response.json([makeReadToken()]),
  'GET /api/own-tokens/4': () => Response.json(makeTokenDetails()),
  'GET /api/own-tokens/6': () => Response.json(readDetails()),
  'GET /api/mcp-tokens/4/sees': () => Response.json({ error: 'Down' }, { status: 500 }),
  'GET /api/tokens/4/executions?limit=20': () => Response.json([]),
  ...OFFERED,
}

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/connect')
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function createOf(does: string) {
  await userEvent.click(await screen.findByRole('button', { name: /^Create Token/ }))
  const form = within(await screen.findByRole('dialog', { name: 'Create Token' }))
  await userEvent.click(form.getByRole('combobox', { name: 'What may it do?' }))
  await userEvent.click(await screen.findByRole('option', { name: does }))
  return form
}
async function choose(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'More: Billing service' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

test('n opens the form; a token for agents reaches all prompts, and the chosen chains, by its labels', async () => {
  const written = openConnect({
    ...ANSWERS,
    [OWN]: [() => Response.json([]), () => Response.json([makeOwnToken()])],
    'POST /api/own-tokens': () =>
      Response.json({ ...makeTokenDetails(), token: AGENT_VALUE }, { status: 201 }),
  })
  await screen.findByText('Connect a program to your prompts and chains')
  await userEvent.keyboard('n')
  const form = within(await screen.findByRole('dialog', { name: 'Create Token' }))
  expect(form.getByRole('combobox', { name: 'What may it do?' }).textContent).toBe('Connect an agent')
  await userEvent.type(form.getByLabelText('Token Name'), 'Laptop')
  await userEvent.click(await form.findByRole('checkbox', { name: /^Support answer/ }))
  await userEvent.click(form.getByRole('button', { name: /^Limits/ }))
  await userEvent.type(form.getByLabelText('Labels'), 'production, candidate')
  await userEvent.click(form.getByRole('button', { name: /^Create Token/ }))
  expect(await screen.findByLabelText(/^Value of/)).toHaveProperty('value', AGENT_VALUE)
  expect(written).toMatchObject([
    {
      key: 'POST /api/own-tokens',
      body: {
        name: 'Laptop',
        scopes: ['prompts', 'chain:12', 'agent'],
        labels: ['production', 'candidate'],
      },
    },
  ])
  expect(written[0]?.body).not.toHaveProperty('answersHelperJobs')
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(new URLSearchParams(window.location.search).get('show')).toBe('4')
})

test('who would see private values in a named chain is listed, and what is ticked goes with the token', async () => {
  const ask = {
    ...{ destination: 'ask: ana#7', chainId: 12, position: 2, title: 'Approve', kind: 'ask' },
    ...{ people: ['ana'], groups: [], role: null, isConfirmed: true },
  }
  const written = openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([]),
    'GET /api/chains/12/sends': () => Response.json([ask]),
    'POST /api/own-tokens': () =>
      Response.json({ ...makeTokenDetails(), token: AGENT_VALUE }, { status: 201 }),
  })
  const form = await createOf('Connect an agent')
  await userEvent.type(form.getByLabelText('Token Name'), 'Laptop')
  await userEvent.click(await form.findByRole('checkbox', { name: /^Support answer/ }))
  const place = await form.findByRole('checkbox', { name: /^ana/ })
  expect(place.closest('li')?.textContent).toContain('asked in “Approve” of “Support answer”')
  await userEvent.click(place)
  await userEvent.click(form.getByRole('button', { name: /^Create Token/ }))
  const sends = [{ chainId: 12, destination: ask.destination }]
  await waitFor(() =>
    expect(written).toMatchObject([{ body: { scopes: ['prompts', 'chain:12', 'agent'], sends } }]),
  )
})

test('One form makes every token: what it may do is its first choice, and only what that needs is asked.', async () => {
  const written = openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([]),
    'POST /api/own-tokens': () =>
      Response.json({ ...makeTokenDetails(), token: AGENT_VALUE }, { status: 201 }),
  })
  const asked: string[][] = []
  const make = async (does: string, fill: (form: Form) => Promise<void>) => {
    const form = await createOf(does)
    await userEvent.type(form.getByLabelText('Token Name'), 'CI')
    await fill(form)
    asked.push(form.queryAllByRole('switch').map(({ id }) => labelOf(id)))
    await userEvent.click(form.getByRole('button', { name: /^Create Token/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'Done' }))
  }
  const check = async (form: Form, name: RegExp) =>
    userEvent.click(await form.findByRole('checkbox', { name }))
  const turn = (form: Form, name: string) => userEvent.click(form.getByRole('switch', { name }))
  await make('Pull and push a folder', (form) => turn(form, 'May write'))
  await make('Fetch prompts', (form) => check(form, /^Weekly digest/))
  await make('Run one chain', async (form) => {
    await waitFor(() => expect(form.getByLabelText('Chain').textContent).toBe('Support answer'))
  })
  await make('Run the chain that fits', async () => undefined)
  await make('Something else', async (form) => {
    await turn(form, 'Connect an agent')
    await turn(form, 'Fetch prompts')
  })
  expect(written.map(({ body }) => (body as { scopes: string[] }).scopes)).toEqual([
    ['folder.read', 'folder.write'],
    ['prompt:22', 'read', 'resolve'],
    ['chain:12', 'run'],
    ['chains', 'run'],
    ['prompts', 'read', 'agent'],
  ])
  expect(asked.map((switches) => switches.length)).toEqual([2, 1, 2, 3, 7])
  expect(asked[0]).toEqual(['May write', 'May evaluate'])
  expect(written[3]?.body).toMatchObject({ tokenType: 'best' })
})

test('a token for agents that reaches nothing can’t be created', async () => {
  openConnect({ ...ANSWERS, [OWN]: () => Response.json([]) })
  const form = await createOf('Connect an agent')
  await userEvent.type(form.getByLabelText('Token Name'), 'Laptop')
  const submit = form.getByRole('button', { name: /^Create Token/ })
  expect(submit).toHaveProperty('disabled', false)
  await userEvent.click(form.getByRole('checkbox', { name: /^All my prompts/ }))
  expect(submit).toHaveProperty('disabled', true)
  expect(form.getByText('Please select at least one prompt or chain.')).toBeTruthy()
  await userEvent.click(await form.findByRole('checkbox', { name: 'Weekly digest' }))
  expect(submit).toHaveProperty('disabled', false)
})

test('MCP tokens reach all prompts or chains, or chosen ones, by labels; a change leaves what its person can’t see as it was.', async () => {
  const stored = makeTokenDetails({
    scopes: ['prompt:21', 'prompt:99', 'chain:12', 'agent'],
    namedPrompts: [{ id: 21, title: 'Answer a complaint' }],
  })
  window.history.replaceState(null, '', '/connect?token=4')
  const written = openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([makeOwnToken()]),
    'GET /api/own-tokens/4': () => Response.json(stored),
    'PATCH /api/own-tokens/4': () => Response.json(stored),
  })
  const form = within(await screen.findByRole('dialog', { name: 'Edit Token' }))
  expect(await form.findByRole('checkbox', { name: 'Answer a complaint' })).toHaveProperty('checked', true)
  await userEvent.click(form.getByRole('checkbox', { name: /^All my chains/ }))
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(written).toHaveLength(1))
  expect(written[0]?.body).toMatchObject({
    name: 'Laptop',
    scopes: ['prompt:21', 'prompt:99', 'chains', 'agent'],
  })
})

test('others’ prompts are offered to a token for all of them, and reached once they are accepted', async () => {
  const offer = {
    ...{ promptId: 51, promptTitle: 'House style', owner: 'ines', ownerIsAdmin: false, via: 'public' },
    ...{ isSkill: true, acceptedAt: null, fills: null, asksToFill: [] },
  }
  window.history.replaceState(null, '', '/connect?token=new&of=mcp')
  const written = openConnect({
    ...ANSWERS,
    'GET /api/prompt-offers': [
      () => Response.json([offer]),
      () => Response.json([{ ...offer, acceptedAt: '2026-11-20T10:00:00.000Z', fills: [] }]),
    ],
    'POST /api/prompt-acceptances': () => new Response(null, { status: 204 }),
  })
  const offers = within(await screen.findByRole('region', { name: 'Prompts of others' }))
  await userEvent.click(offers.getByRole('button', { name: '1 prompt offered' }))
  expect(offers.getByText('A skill')).toBeTruthy()
  await userEvent.click(offers.getByRole('button', { name: 'Accept House style' }))
  expect(await offers.findByText('0 prompts offered, 1 accepted')).toBeTruthy()
  expect(written).toEqual([{ key: 'POST /api/prompt-acceptances', body: { promptIds: [51], fills: [] } }])
})

test('Read tokens have a prompt picker and ‘May run’; a token without it says so beside the examples that run.', async () => {
  const written = openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([]),
    'POST /api/own-tokens': () => Response.json({ ...readDetails(), token: VALUE }, { status: 201 }),
  })
  const form = await createOf('Fetch prompts')
  await userEvent.type(form.getByLabelText('Token Name'), ' Billing ')
  const submit = form.getByRole('button', { name: /^Create Token/ })
  expect(await form.findByText('Please select at least one prompt.')).toBeTruthy()
  expect(submit).toHaveProperty('disabled', true)
  await userEvent.type(form.getByLabelText('Search prompts'), 'digest')
  expect(form.queryByRole('checkbox', { name: 'Answer a complaint' })).toBeNull()
  await userEvent.click(form.getByRole('checkbox', { name: 'Weekly digest' }))
  expect(form.getByText('1 chosen')).toBeTruthy()
  await userEvent.click(form.getByRole('switch', { name: 'May run' }))
  await userEvent.click(submit)
  expect(await screen.findByLabelText(/^Value of/)).toHaveProperty('value', VALUE)
  expect(written).toMatchObject([
    {
      key: 'POST /api/own-tokens',
      body: { name: 'Billing', scopes: ['prompt:22', 'read', 'resolve', 'run'] },
    },
  ])
  expect(written[0]?.body).not.toHaveProperty('answersHelperJobs')
  expect(written[0]?.body).not.toHaveProperty('labels')
})

test('a read token whose prompts stay as they are is saved without them', async () => {
  const written = openConnect(
    { ...ANSWERS, 'PATCH /api/own-tokens/6': () => Response.json(readDetails()) },
    { prompt: complaint },
  )
  await choose('Edit')
  const form = within(await screen.findByRole('dialog', { name: 'Edit Token' }))
  expect(await form.findByRole('checkbox', { name: 'Answer a complaint' })).toHaveProperty('checked', true)
  await userEvent.type(form.getByLabelText('Token Name'), ' 2')
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  await waitFor(() => expect(written).toHaveLength(1))
  expect(written[0]?.body).toMatchObject({ name: 'Billing service 2' })
  expect(written[0]?.body).not.toHaveProperty('scopes')
})

test('A deleted token is gone at once.', async () => {
  let kept = [billing]
  const written = openConnect(
    {
      ...ANSWERS,
      [OWN]: () => Response.json(kept),
      'GET /api/own-tokens/6': () =>
        Response.json(readDetails({ scopes: ['prompt:21', 'read', 'resolve', 'run'] })),
      'GET /api/tokens/6/executions?limit=20': () =>
        Response.json([makeTokenRun({ chainId: null, promptId: 21, chainName: 'Answer a complaint' })]),
      'DELETE /api/tokens/6': () => {
        kept = []
        return new Response(null, { status: 204 })
      },
    },
    { prompt: complaint },
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Usage and limits/ }))
  const runs = within(await screen.findByRole('region', { name: 'Runs through Billing service' }))
  const run = await runs.findByRole('link', { name: 'Answer a complaint' })
  expect(run.getAttribute('href')).toBe('/execute/21?history=open')
  await choose('Delete')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Token deleted')).toBeTruthy()
  expect(written.map(({ key }) => key)).toEqual(['DELETE /api/tokens/6'])
  expect(await screen.findByText('Connect a program to your prompts and chains')).toBeTruthy()
})

test('Values of tokens are copied while they are kept, and rotated otherwise.', async () => {
  const taken = stubClipboard()
  openConnect(
    {
      ...ANSWERS,
      [OWN]: [() => Response.json([billing]), () => Response.json([{ ...billing, canReveal: false }])],
      'GET /api/tokens/6/value': () => Response.json({ token: VALUE }),
      'POST /api/tokens/6/rotate': () =>
        Response.json({ ...makeReadToken({ canReveal: false }), token: VALUE }),
    },
    { prompt: complaint },
  )
  await choose('Copy value')
  await waitFor(() => expect(taken).toEqual([VALUE]))
  await choose('Rotate')
  await userEvent.click(await screen.findByRole('button', { name: /^Rotate Token/ }))
  expect(await screen.findByText('This token will only be shown once. Copy it now!')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  await userEvent.click(await screen.findByRole('button', { name: 'More: Billing service' }))
  const copy = await screen.findByRole('menuitem', { name: 'Copy value' })
  expect(copy.getAttribute('aria-disabled')).toBe('true')
})

test('an owner gives and takes a prompt’s aliases; another’s prompt has no such field', async () => {
  const answers = { ...ANSWERS, 'GET /api/prompts/21/aliases': () => aliasesOf() }
  const written = openConnect(
    {
      ...answers,
      'PUT /api/prompts/21/aliases/pmpt_1': () => aliasesOf('pmpt_1'),
      'DELETE /api/prompts/21/aliases/pmpt_1': () => aliasesOf(),
    },
    { prompt: complaint },
  )
  await userEvent.click(await screen.findByRole('button', { name: /^Names used in code/ }))
  await userEvent.type(await screen.findByLabelText('Alias'), 'chain-1{Enter}')
  expect(screen.getByText('An alias is not a number and does not begin with chain-')).toBeTruthy()
  expect(written).toEqual([])
  await userEvent.clear(screen.getByLabelText('Alias'))
  await userEvent.type(screen.getByLabelText('Alias'), 'pmpt_1{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove pmpt_1' }))
  await waitFor(() => expect(screen.queryByText('pmpt_1')).toBeNull())
  expect(written.map(({ key }) => key)).toEqual([
    'PUT /api/prompts/21/aliases/pmpt_1',
    'DELETE /api/prompts/21/aliases/pmpt_1',
  ])
  cleanup()
  openConnect(answers, { prompt: { ...complaint, canEdit: false }, viewer: 'grace' })
  await userEvent.click(await screen.findByRole('button', { name: /^Names used in code/ }))
  await screen.findByRole('list', { name: 'Names of Answer a complaint' })
  expect(screen.queryByLabelText('Alias')).toBeNull()
})

test('a token that only fetches says that it can’t run the prompt', async () => {
  window.history.replaceState(null, '', '/connect?client=openai-sdk')
  openConnect(ANSWERS, { prompt: complaint })
  expect(await screen.findByText(/^This token can fetch prompts but not run them/)).toBeTruthy()
})
