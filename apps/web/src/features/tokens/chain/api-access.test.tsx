import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeChain, makeListedChain } from '../../../testing/make-chain.ts'
import { chainDetails, makeChainToken, makeTokenRun } from '../testing/make-token.ts'
import { openTokens, stubClipboard } from '../testing/open-tokens.tsx'
import ApiAccess from './api-access.tsx'

const LIST = 'GET /api/tokens?chainId=12'
const VALUE = 'ctc_9fKqaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'

beforeEach(() => {
  localStorage.clear()
  window.history.replaceState(null, '', '/chains/12')
  // What jsdom lacks of a browser and the kit's select asks for.
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Parameters<typeof openTokens>[1], chain = makeChain(), takesInput = true) {
  return openTokens(<ApiAccess chain={chain} takesInput={takesInput} />, {
    'GET /api/chains': () => Response.json([makeListedChain({ id: 12 })]),
    'GET /api/chains/12': () => Response.json(chain),
    ...answers,
  })
}

const row = (name: string) =>
  within(screen.getByRole('button', { name, expanded: false }).closest('tr') as HTMLElement)
const seen = (text: string | RegExp) => screen.findByText(text)

test('‘No API tokens created yet.’, ‘Failed to load API tokens’.', async () => {
  open({ [LIST]: [() => Response.json({ error: 'Down' }, { status: 500 }), () => Response.json([])] })
  expect(await seen('Failed to load API tokens')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await seen('No API tokens created yet.')).toBeTruthy()
})

test('The table shows the name with 8 characters and an ellipsis, Last Used or ‘Never used’, Created, calls and cost, copy and delete.', async () => {
  const used = makeChainToken({
    lastUsed: new Date(Date.now() - 4 * 60_000).toISOString(),
    createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    calls: 1412,
    savedCalls: 31,
    costUsd: 9.86,
    monthCostUsd: 2,
    monthlyBudgetUsd: 20,
    requestsPerMinute: 60,
    lastError: { message: 'The model rests.', code: 'overloaded', at: '2026-11-01T00:00:00.000Z' },
  })
  const expired = makeChainToken({ id: 6, name: 'Laptop', expiresAt: '2026-01-01T00:00:00.000Z' })
  open({
    [LIST]: () => Response.json([used, expired]),
    'GET /api/tokens/5/executions?limit=20': () =>
      Response.json([
        makeTokenRun(),
        makeTokenRun({ id: 217, apiCall: null, cachedTokens: 420, savedUsd: 0.003 }),
      ]),
  })
  await screen.findByRole('button', { name: 'Helpdesk' })
  const helpdesk = row('Helpdesk')
  expect(helpdesk.getByText('ctc_9fKq…')).toBeTruthy()
  expect(helpdesk.getAllByText('4 minutes ago')).toHaveLength(2)
  expect(helpdesk.getAllByText('3 days ago')).toHaveLength(2)
  expect(helpdesk.getByText('1,412')).toBeTruthy()
  expect(helpdesk.getByText('$9.86')).toBeTruthy()
  expect(row('Laptop').getByText('expired')).toBeTruthy()
  expect(row('Laptop').getAllByText('Never used')).not.toHaveLength(0)
  await userEvent.click(screen.getByRole('button', { name: 'Helpdesk' }))
  expect(await seen('POST /v1/messages')).toBeTruthy()
  expect(screen.getByText('ignored: tools, thinking')).toBeTruthy()
  expect(screen.getByText('7.7 s · 1,971 tokens · $0.0071')).toBeTruthy()
  expect(screen.getByText('7.7 s · 1,971 tokens · $0.0071 · cached 42 %, saved $0.0030')).toBeTruthy()
  expect(screen.getByText('60 a minute · $20 a month')).toBeTruthy()
  expect(screen.getByText('$2.00 of $20.00')).toBeTruthy()
  expect(screen.getByText('31')).toBeTruthy()
  expect(screen.getByText(/The model rests\./)).toBeTruthy()
})

test('Create Token has ‘Token Name’ with ‘e.g., Production Token’, disabled while blank, and ‘Invalid name’. The value shows once, with Copy to Clipboard: ‘Token created’, ‘Error creating token’.', async () => {
  const taken = stubClipboard()
  const written = open({
    [LIST]: [() => Response.json([]), () => Response.json([makeChainToken()])],
    'POST /api/own-tokens': [
      () => Response.json({ error: 'Full' }, { status: 500 }),
      () => Response.json({ ...chainDetails({ canReveal: false }), token: VALUE }, { status: 201 }),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Create Token' }))
  const form = within(await screen.findByRole('dialog', { name: 'Create Token' }))
  const name = form.getByPlaceholderText('e.g., Production Token')
  const submit = () => form.getByRole('button', { name: /^Create Token/ })
  await userEvent.type(name, '  ')
  expect(submit()).toHaveProperty('disabled', true)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await seen('Invalid name')).toBeTruthy()
  expect(screen.getAllByText('Please provide a name for your API token.')).not.toHaveLength(0)
  await userEvent.type(name, 'Helpdesk')
  await userEvent.click(form.getByRole('button', { name: /^Limits and behaviour/ }))
  await userEvent.type(form.getByLabelText('Requests a minute'), '6.5')
  await userEvent.click(submit())
  expect(await form.findByText('Requests per minute must be a whole number')).toBeTruthy()
  await userEvent.clear(form.getByLabelText('Requests a minute'))
  await userEvent.type(form.getByLabelText('Requests a minute'), '60')
  await userEvent.click(form.getByRole('switch', { name: 'Show progress' }))
  await userEvent.click(submit())
  expect(await seen('500: Full')).toBeTruthy()
  await userEvent.click(submit())
  const shown = within(await screen.findByRole('dialog', { name: 'Your new token' }))
  expect(shown.getByText('This token will only be shown once. Copy it now!')).toBeTruthy()
  expect(shown.queryByText(/copied again/)).toBeNull()
  expect(shown.getByLabelText('Value of “Helpdesk”')).toHaveProperty('value', VALUE)
  await userEvent.click(shown.getByRole('button', { name: 'Copy to Clipboard' }))
  expect(await seen('Copied!')).toBeTruthy()
  expect(taken).toEqual([VALUE])
  await userEvent.click(shown.getByRole('button', { name: 'Copy curl command' }))
  await vi.waitFor(() => expect(taken).toHaveLength(2))
  expect(taken[1]).toContain(`export CATENARY_TOKEN=${VALUE}\ncurl ${window.location.origin}/v1/messages`)
  expect(taken[1]).toContain('"model":"chain-12"')
  await userEvent.click(shown.getByRole('button', { name: 'Done' }))
  expect(await screen.findByRole('button', { name: 'Helpdesk' })).toBeTruthy()
  expect(document.body.textContent).not.toContain(VALUE)
  expect(written.at(-1)).toEqual({
    key: 'POST /api/own-tokens',
    body: {
      name: 'Helpdesk',
      scopes: ['chain:12', 'run'],
      chainLabel: null,
      expiresAt: null,
      requestsPerMinute: 60,
      callsAtOnce: null,
      monthlyBudgetUsd: null,
      answersHelperJobs: true,
      showsProgress: true,
    },
  })
})

test('Copy fetches the value again: ‘Copied!’, ‘Error retrieving token’, ‘Copy failed’. Its creator always can, while values are kept (D37).', async () => {
  const answers = {
    [LIST]: () => Response.json([makeChainToken()]),
    'GET /api/tokens/5/value': [
      () => Response.json({ token: VALUE }),
      () => Response.json({ error: 'Gone' }, { status: 410 }),
      () => Response.json({ token: VALUE }),
    ],
  }
  const taken = stubClipboard()
  open(answers)
  const copy = async () => userEvent.click(await screen.findByRole('button', { name: 'Copy Helpdesk' }))
  await copy()
  expect(await seen('Copied!')).toBeTruthy()
  expect(taken).toEqual([VALUE])
  await copy()
  expect(await seen('Error retrieving token')).toBeTruthy()
  expect(screen.getByText('410: Gone')).toBeTruthy()
  stubClipboard({ refuses: true })
  await copy()
  expect(await seen('Copy failed')).toBeTruthy()
  expect(screen.getByText('Could not copy the token to clipboard.')).toBeTruthy()
})

test('The dialog says which applies: that the value is shown once, or that it can be copied again.', async () => {
  const lost = makeChainToken({ canReveal: false })
  const foreign = makeChainToken({
    id: 6,
    name: 'Website',
    createdBy: 'ines',
    canReveal: false,
    canEdit: false,
  })
  open({ [LIST]: () => Response.json([lost, foreign]) })
  const titleOf = async (name: string) => (await screen.findByRole('button', { name })).title
  expect(await titleOf('Copy Helpdesk')).toBe(
    'This server doesn’t store token values. Rotate the token to get a new one.',
  )
  expect(await titleOf('Copy Website')).toBe('Only ines can copy it.')
  expect(screen.queryByRole('button', { name: 'Edit Website' })).toBeNull()
})

test('Deleting a token asks first: ‘Token deleted’, ‘Error deleting token’.', async () => {
  const written = open({
    [LIST]: [() => Response.json([makeChainToken()]), () => Response.json([])],
    'DELETE /api/tokens/5': [
      () => Response.json({ error: 'Busy' }, { status: 500 }),
      () => new Response(null, { status: 204 }),
    ],
  })
  for (const message of ['Error deleting token', 'Token deleted']) {
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Helpdesk' }))
    expect(
      await seen('Are you sure you want to delete this token? This action cannot be undone.'),
    ).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await seen(message)).toBeTruthy()
  }
  expect(await seen('No API tokens created yet.')).toBeTruthy()
  expect(written).toHaveLength(2)
})

test('Without the right to edit, create and delete are disabled, and their titles say why.', async () => {
  open({ [LIST]: () => Response.json([makeChainToken()]) }, makeChain({ canEdit: false }))
  const create = await screen.findByRole('button', { name: 'Create Token' })
  expect(create.title).toBe("You don't have permission to create tokens for this chain")
  await userEvent.click(create)
  expect(screen.queryByRole('dialog')).toBeNull()
  const remove = await screen.findByRole('button', { name: 'Delete Helpdesk' })
  expect(remove.title).toBe("You don't have permission to delete tokens for this chain")
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('button', { name: 'Copy Helpdesk' }).getAttribute('aria-disabled')).toBeNull()
})

test('Rotating makes a new value, while the old one works for a chosen time.', async () => {
  const written = open({
    [LIST]: [
      () => Response.json([makeChainToken()]),
      () =>
        Response.json([
          makeChainToken({ previousUntil: new Date(Date.now() + 7 * 86_400_000).toISOString() }),
        ]),
    ],
    'POST /api/tokens/5/rotate': () => Response.json({ ...makeChainToken(), token: VALUE }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More: Helpdesk' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rotate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rotate “Helpdesk”' }))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Keep the old value working' }))
  await userEvent.click(await screen.findByRole('option', { name: 'For a week' }))
  await userEvent.click(dialog.getByRole('button', { name: /Rotate Token/ }))
  expect(await screen.findByLabelText(/^Value of/)).toHaveProperty('value', VALUE)
  expect(written).toEqual([{ key: 'POST /api/tokens/5/rotate', body: { overlapMinutes: 10_080 } }])
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(await seen('old value still works')).toBeTruthy()
})

test('A token’s form has its end, requests a minute, calls at once, money a month, utility prompts, and ‘Show progress’ (D41).', async () => {
  const written = open({
    [LIST]: () => Response.json([makeChainToken({ callsAtOnce: 4, monthlyBudgetUsd: 2.5 })]),
    'GET /api/own-tokens/5': () => Response.json(chainDetails({ callsAtOnce: 4, monthlyBudgetUsd: 2.5 })),
    'PATCH /api/own-tokens/5': () => Response.json(chainDetails()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Helpdesk' }))
  expect(window.location.search).toBe('?token=5')
  const form = within(await screen.findByRole('dialog', { name: 'Edit Token' }))
  await userEvent.type(form.getByLabelText('Token Name'), ' 2')
  await userEvent.click(form.getByRole('button', { name: /Save Changes/ }))
  expect(await seen('Token updated')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(written.map(({ body }) => body)).toEqual([
    {
      name: 'Helpdesk 2',
      chainLabel: null,
      expiresAt: null,
      requestsPerMinute: null,
      callsAtOnce: 4,
      monthlyBudgetUsd: 2.5,
      answersHelperJobs: true,
      showsProgress: false,
      fills: [],
      sends: [],
    },
  ])
})

test('Usage examples are there for curl, both official clients in two languages, Claude Code and Codex, with this server’s address and ‘chain-{id}’, each with copy. A hint says where no step takes the request.', async () => {
  const taken = stubClipboard()
  open({ [LIST]: () => Response.json([]) }, makeChain(), false)
  expect(
    await seen('No step of this chain uses {{input}} or {{input_context}}, so it never sees the request.'),
  ).toBeTruthy()
  const examples = within(screen.getByRole('region', { name: 'Usage examples' }))
  expect(examples.getByText('chain-12')).toBeTruthy()
  expect(examples.getByText('{{input_context}}')).toBeTruthy()
  const clients = examples.getAllByRole('tab').map(({ textContent }) => textContent)
  expect(clients).toEqual([
    ...['curl', 'OpenAI SDK', 'Anthropic SDK', 'AI SDK', 'LangChain'],
    ...['Claude Code', 'Codex', 'OpenCode', 'Open WebUI'],
  ])
  expect(examples.getByText('-H "Idempotency-Key: order-4711"')).toBeTruthy()
  await userEvent.click(examples.getByRole('button', { name: 'Copy: curl, Claude style' }))
  await userEvent.click(examples.getByRole('radio', { name: 'OpenAI style' }))
  await userEvent.click(examples.getByRole('button', { name: 'Copy: curl, OpenAI style' }))
  await userEvent.click(examples.getByRole('tab', { name: 'Anthropic SDK' }))
  await userEvent.click(examples.getByRole('radio', { name: 'Python' }))
  await userEvent.click(examples.getByRole('button', { name: 'Copy: Anthropic SDK, Python' }))
  await waitFor(() => expect(taken).toHaveLength(3))
  expect(taken[0]).toContain(`curl ${window.location.origin}/v1/messages`)
  expect(taken[0]).toContain('"model":"chain-12"')
  expect(taken[1]).toContain('/v1/chat/completions')
  expect(taken[2]).toContain('from anthropic import Anthropic')
})
