import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain } from '../../../testing/make-chain.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import {
  bestDetails,
  chainDetails,
  makeFetch,
  makeOwnToken,
  makeReadToken,
  makeTokenDetails,
  makeTokenRun,
  readDetails,
} from '../testing/make-token.ts'
import { openConnect } from '../testing/open-connect.tsx'
import { stubClipboard } from '../testing/open-tokens.tsx'

const OWN = 'GET /api/own-tokens'
const VALUE = 'ctm_8dWnaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const laptop = makeOwnToken({ lastUsed: new Date().toISOString(), lastClient: 'Claude Code 2.1.330' })
const billing = makeOwnToken({
  ...{ id: 6, name: 'Billing service', token: 'ctr_4Lmn', tokenType: 'read', prompts: 1, chains: 0 },
})
const helpdesk = makeOwnToken({
  ...{ id: 5, name: 'Helpdesk', token: 'ctc_9fKq', tokenType: 'chain', chainId: 12, prompts: 0, chains: 1 },
})
const desk = makeOwnToken({
  ...{ id: 8, name: 'Front desk', token: 'ctb_7sQm', tokenType: 'best', prompts: 0, chains: null },
})
const sees = {
  prompts: {
    count: 120,
    names: Array.from({ length: 100 }, (_, id) => ({
      id: id + 1,
      name: `prompt_${id}`,
      title: `Prompt ${id}`,
    })),
  },
  chains: { count: 1, names: [{ id: 12, name: 'chain_support_answer', title: 'Support answer' }] },
  skills: { count: 0, names: [] },
}
const ANSWERS = {
  [OWN]: () => Response.json([laptop, billing, helpdesk, desk]),
  'GET /api/own-tokens/4': () => Response.json(makeTokenDetails()),
  'GET /api/mcp-tokens/4/sees': () => Response.json(sees),
  'GET /api/read-tokens': () => Response.json([makeReadToken()]),
  'GET /api/own-tokens/5': () => Response.json(chainDetails()),
  'GET /api/own-tokens/6': () => Response.json(readDetails()),
  'GET /api/own-tokens/8': () => Response.json(bestDetails()),
  'GET /api/tokens/4/executions?limit=20': () => Response.json([]),
  'GET /api/tokens/5/executions?limit=20': () => Response.json([makeTokenRun()]),
  'GET /api/tokens/8/executions?limit=20': () => Response.json([]),
}
const complaint = makePrompt({
  id: 21,
  slug: 'answer-a-complaint',
  title: 'Answer a complaint',
  content: 'Dear $<customer>',
  owner: 'ada',
})

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

const item = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) })
const code = (id: string) => document.querySelector(`[data-example="${id}"]`)?.textContent
const search = () => new URLSearchParams(window.location.search)

test('Connect lists every token of one’s own with its kind, reach, last use and end; a kind can be chosen.', async () => {
  openConnect(ANSWERS)
  const rows = within(await screen.findByRole('list', { name: 'Tokens' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^LaptopMCP, all prompts, 1 chainctm_8dWn….*Claude Code 2\.1\.330.*never expires/),
    expect.stringMatching(/^Billing serviceRead, 1 promptctr_4Lmn….*Never used.*never expires/),
    expect.stringMatching(/^HelpdeskChainctc_9fKq…/),
    expect.stringMatching(/^Front deskBest Chain, all chainsctb_7sQm…/),
  ])
  expect(screen.getByText('4 tokens, 1 used this week')).toBeTruthy()
  expect((await item('Laptop')).getAttribute('aria-current')).toBe('true')
  expect(code('claude-code-mcp')).toContain('claude mcp add -t http catenary')
  expect(screen.getByText('What goes out')).toBeTruthy()
})

test('What the client sees is shown for the chosen token: an agent’s commands, tools and skills, a model’s names, or the prompts.', async () => {
  openConnect(ANSWERS)
  const seen = within(await screen.findByRole('region', { name: 'What the client sees' }))
  expect(await seen.findByText('120 prompts')).toBeTruthy()
  expect(seen.getByText('1 chain')).toBeTruthy()
  expect(seen.getByText('0 skills')).toBeTruthy()
  expect(seen.getByTitle('Prompt 7').textContent).toBe('/prompt_7')
  expect(seen.queryByTitle('Prompt 8')).toBeNull()
  await userEvent.click(seen.getByRole('button', { name: 'Show 92 more' }))
  expect(seen.getByTitle('Prompt 99')).toBeTruthy()
  expect(seen.getByText('And 20 more.')).toBeTruthy()
})

test('What an agent’s client takes is copied with the address and the token’s value, which is never shown; where values are not kept, it reads CATENARY_TOKEN.', async () => {
  const taken = stubClipboard()
  openConnect({
    ...ANSWERS,
    'GET /api/tokens/4/value': () => Response.json({ token: VALUE }),
  })
  await waitFor(() => expect(code('claude-code-mcp')).toContain('Bearer ctm_8dWn…'))
  await userEvent.click(screen.getByRole('tab', { name: 'Cursor' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Copy: Cursor, mcp.json' }))
  await waitFor(() => expect(taken).toHaveLength(1))
  expect(JSON.parse(taken[0] ?? '')).toEqual({
    mcpServers: {
      catenary: {
        url: `${window.location.origin}/mcp`,
        headers: { Authorization: `Bearer ${VALUE}` },
      },
    },
  })
  expect(document.body.textContent).not.toContain(VALUE)
  expect(search().get('client')).toBe('cursor')
  cleanup()
  openConnect({ ...ANSWERS, [OWN]: () => Response.json([{ ...laptop, canReveal: false }]) })
  await userEvent.click(await screen.findByRole('tab', { name: 'Codex' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Copy: Codex, Terminal' }))
  expect(taken[1]).toBe(
    `codex mcp add catenary --url ${window.location.origin}/mcp --bearer-token-env-var CATENARY_TOKEN`,
  )
})

test('The chosen token fills every client’s snippet in, with this server’s address and a model’s or prompt’s name, and never shows its value.', async () => {
  const labels = [{ label: 'production', version: 3, movedAt: '2026-11-01T10:00:00.000Z', movedBy: 'ada' }]
  const chain = makeChain({ id: 12, slug: 'support-answer', name: 'Support answer', labels: labels as never })
  openConnect(ANSWERS, { chain })
  await userEvent.click(await item('Helpdesk'))
  expect(search().get('show')).toBe('5')
  expect(code('openai-typescript')).toContain("model: 'chain-12'")
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }))
  await userEvent.click(await screen.findByRole('option', { name: 'support-answer@production' }))
  expect(code('openai-typescript')).toContain("model: 'support-answer@production'")
  await userEvent.click(screen.getByRole('tab', { name: 'Open WebUI' }))
  expect(code('open-webui')).toContain('open-webui serve')
  await userEvent.click(screen.getByRole('button', { name: /^Usage and limits/ }))
  expect(await screen.findByText('ignored: tools, thinking')).toBeTruthy()
})

test('A token shows the clients that come with its kind, and no others.', async () => {
  window.history.replaceState(null, '', '/connect?show=4&client=langfuse')
  openConnect(ANSWERS, { prompt: complaint })
  const names = async () => (await screen.findAllByRole('tab')).map(({ textContent }) => textContent)
  expect(await names()).toEqual(['Claude Code', 'Codex', 'Cursor', 'VS Code', 'OpenCode', 'curl'])
  expect(code('claude-code-mcp')).toContain('claude mcp add')
  await userEvent.click(await item('Billing service'))
  expect(await names()).toEqual(['OpenAI SDK', 'Langfuse', 'curl'])
  await waitFor(() => expect(code('langfuse-typescript')).toContain("prompt.get('answer-a-complaint')"))
  await userEvent.click(await item('Front desk'))
  expect(search().get('client')).toBeNull()
  expect(code('openai-typescript')).toContain("model: 'best-chain'")
})

test('A token opens on the client that called last, else on the one that it is named after.', async () => {
  const used = { ...helpdesk, name: 'For Open WebUI', lastUsed: laptop.lastUsed, lastClient: 'curl 8.5.0' }
  const client = () => screen.findByRole('tab', { selected: true })
  const called = { 'Open WebUI': null, curl: 'curl 8.5.0', 'Anthropic SDK': 'Anthropic JS 0.71.0' }
  for (const [name, lastClient] of Object.entries(called)) {
    openConnect({ ...ANSWERS, [OWN]: () => Response.json([{ ...used, lastClient }]) })
    expect((await client()).textContent).toBe(name)
    cleanup()
  }
})

test('A token’s usage is read again with its first call, and together with its runs.', async () => {
  let called: { calls: number; lastUsed: string | null } = { calls: 0, lastUsed: null }
  openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([{ ...helpdesk, lastUsed: called.lastUsed }]),
    'GET /api/own-tokens/5': () => Response.json(chainDetails(called)),
  })
  expect(await screen.findByText(/^0 calls · /)).toBeTruthy()
  called = { calls: 1, lastUsed: new Date().toISOString() }
  expect(await screen.findByText(/^1 call · /)).toBeTruthy()
  called = { ...called, calls: 2 }
  await userEvent.click(screen.getByRole('button', { name: /^Usage and limits/ }))
  expect(await screen.findByText(/^2 calls · /)).toBeTruthy()
})

test('One line connects an agent: Create makes the token, what is copied holds address and value, and the page says which client came.', async () => {
  const taken = stubClipboard()
  const made = makeOwnToken({ id: 4, name: 'Cursor', lastUsed: null })
  const came = { ...made, lastUsed: new Date().toISOString(), lastClient: 'cursor-vscode 3.4.0' }
  const written = openConnect({
    ...ANSWERS,
    [OWN]: [
      () => Response.json([]),
      () => Response.json([made]),
      () => Response.json([made]),
      () => Response.json([came]),
    ],
    'POST /api/private-names': () => Response.json({ fills: [], own: ['client'] }),
    'POST /api/own-tokens': () =>
      Response.json({ ...makeTokenDetails({ name: 'Cursor' }), token: VALUE }, { status: 201 }),
  })
  await userEvent.click(await screen.findByRole('radio', { name: 'Cursor' }))
  expect((await screen.findByText(/^Fills/)).textContent).toBe('Fills in your private variable client')
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  const shown = within(await screen.findByRole('dialog', { name: 'Your new token' }))
  expect(written).toEqual([
    { key: 'POST /api/own-tokens', body: { name: 'Cursor', scopes: ['prompts', 'agent'] } },
  ])
  expect(shown.getByText('This token will only be shown once. Copy it now!')).toBeTruthy()
  expect(shown.getByRole<HTMLTextAreaElement>('textbox', { name: 'For the client' }).value).toContain(VALUE)
  const copy = shown.getByRole('button', { name: 'Copy for Cursor' })
  expect(document.activeElement).toBe(copy)
  await userEvent.click(copy)
  await waitFor(() => expect(taken[0]).toContain(`"Authorization": "Bearer ${VALUE}"`))
  expect(taken[0]).toContain(`${window.location.origin}/mcp`)
  expect(await shown.findByText('Waiting for the first call from Cursor')).toBeTruthy()
  expect(await shown.findByText('Cursor connected')).toBeTruthy()
})

test('A client that calls one chain or fetches prompts opens the form with that choice made, under its name.', async () => {
  openConnect({ ...ANSWERS, [OWN]: () => Response.json([]) })
  for (const [client, does] of [
    ['Langfuse', 'Fetch prompts'],
    ['Open WebUI', 'Run one chain'],
  ] as const) {
    await userEvent.click(await screen.findByRole('radio', { name: client }))
    await userEvent.click(screen.getByRole('button', { name: 'Create' }))
    const form = within(await screen.findByRole('dialog', { name: 'Create Token' }))
    expect(form.getByRole('combobox', { name: 'What may it do?' }).textContent).toBe(does)
    expect(form.getByLabelText('Token Name')).toHaveProperty('value', client)
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
  }
})

test('A first call that is refused says why.', async () => {
  const refused = { message: 'This token may not do that.', code: 'forbidden', at: new Date().toISOString() }
  openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([{ ...laptop, lastUsed: refused.at, lastError: refused }]),
  })
  expect(
    await screen.findByText(/^Claude Code called and was refused: This token may not do that\./),
  ).toBeTruthy()
})

test('Fetched last has each client with its token, version and label; runs through a token name what of a call was ignored.', async () => {
  openConnect({
    ...ANSWERS,
    'GET /api/fetches?limit=20': () =>
      Response.json([
        makeFetch({ count: 3 }),
        makeFetch({ id: 70, client: '', label: null, kind: 'skill', tokenId: null, tokenName: null }),
      ]),
    'GET /api/fetches?limit=20&tokenId=4': () => Response.json([]),
  })
  const table = within(await screen.findByRole('table', { name: /^Fetched last/ }))
  const [first, second] = table.getAllByRole('row').slice(1)
  expect(first?.textContent).toMatch(/^Claude Code 2\.1\.330Laptopanswer-a-complaint× 3v7production/)
  expect(second?.textContent).toMatch(/^Unnamed clientA deleted tokenanswer-a-complaintskillv7/)
  await userEvent.click(screen.getByRole('radio', { name: 'Laptop' }))
  expect(await screen.findByText('Nobody has fetched anything through this token yet.')).toBeTruthy()
})

test('whoever comes for a prompt sees a token that reaches it, or that none does', async () => {
  window.history.replaceState(null, '', '/connect?prompt=21')
  openConnect(ANSWERS, { prompt: complaint })
  await waitFor(() => expect(code('langfuse-typescript')).toContain("compile({ customer: '…' })"))
  expect((await item('Billing service')).getAttribute('aria-current')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: /^Names used in code/ }))
  const names = within(await screen.findByRole('list', { name: 'Names of Answer a complaint' }))
  expect(names.getByText('answer-a-complaint')).toBeTruthy()
  cleanup()
  openConnect({ ...ANSWERS, 'GET /api/read-tokens': () => Response.json([]) }, { prompt: complaint })
  expect(await screen.findByText('None of your tokens reaches “Answer a complaint” yet.')).toBeTruthy()
  expect(code('langfuse-typescript')).toContain("'answer-a-complaint'")
})

test('An expired token, one without money or reach, and one that is gone each say what programs get.', async () => {
  const ended = '2026-11-01T10:00:00.000Z'
  const used = readDetails({ monthlyBudgetUsd: 1, monthCostUsd: 1 })
  openConnect({
    ...ANSWERS,
    [OWN]: () => Response.json([{ ...laptop, expiresAt: ended }, billing]),
    'GET /api/own-tokens/6': () => Response.json(used),
  })
  expect((await item('Laptop')).textContent).toMatch(/expired.*expired Nov 1/)
  expect(screen.getByText(/^This token expired on/)).toBeTruthy()
  await userEvent.click(await item('Billing service'))
  expect(await screen.findByText('Programs can’t use this token: budget used up.')).toBeTruthy()
  cleanup()
  window.history.replaceState(null, '', '/connect?show=99')
  openConnect(ANSWERS)
  expect(await screen.findByText(/^This token doesn’t exist or isn’t yours/)).toBeTruthy()
})

test('the list is narrowed to a kind, and says when that has none', async () => {
  openConnect({ ...ANSWERS, [OWN]: () => Response.json([laptop]) })
  await item('Laptop')
  await userEvent.click(screen.getByRole('combobox', { name: 'Kind' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Best Chain' }))
  expect(await screen.findByText('No token of this kind.')).toBeTruthy()
  expect(search().get('kind')).toBe('best')
  await userEvent.click(screen.getByRole('button', { name: 'Show all kinds' }))
  expect(await item('Laptop')).toBeTruthy()
})

test('arrows move between tokens, and Enter chooses', async () => {
  openConnect(ANSWERS)
  ;(await item('Laptop')).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{Enter}')
  expect((await item('Billing service')).getAttribute('aria-current')).toBe('true')
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(await item('Front desk'))
})

test('without a token every client is offered; a list that fails to load says so', async () => {
  openConnect({
    ...ANSWERS,
    [OWN]: [() => Response.json({ error: 'Down' }, { status: 500 }), () => Response.json([])],
  })
  expect(await screen.findByText('Your tokens could not be loaded')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Connect a program to your prompts and chains')).toBeTruthy()
  expect(screen.getAllByRole('radio').length).toBe(13)
})

test('what could not be loaded beside a token can be tried again', async () => {
  const down = () => Response.json({ error: 'Down' }, { status: 500 })
  openConnect({
    ...ANSWERS,
    'GET /api/mcp-tokens/4/sees': [down, ANSWERS['GET /api/mcp-tokens/4/sees']],
    'GET /api/fetches?limit=20': [down, () => Response.json([makeFetch()])],
  })
  const seen = within(await screen.findByRole('region', { name: 'What the client sees' }))
  await userEvent.click(await seen.findByRole('button', { name: 'Try again' }))
  expect(await seen.findByText('120 prompts')).toBeTruthy()
  const fetched = within(screen.getByRole('region', { name: 'Fetched last' }))
  await userEvent.click(await fetched.findByRole('button', { name: 'Try again' }))
  expect(await fetched.findByText('Claude Code 2.1.330')).toBeTruthy()
})
