import type { ManagedModel, ModelAccess, ModelProvider } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { toastStore } from '../../../lib/toast.ts'
import ModelsPanel from './models-panel.tsx'
import { ANTHROPIC, CLAUDE, LLAMA, OFFICE } from './testing/model-examples.ts'

let providers: ModelProvider[]
let models: ManagedModel[]
let access: ModelAccess
/** What else the network answers, by method and path. */
let replies: Record<string, unknown>
/** What was written, as method, path and body. */
let written: [string, unknown][]

const network = async (path: string, init?: RequestInit): Promise<Response> => {
  const call = `${init?.method ?? 'GET'} ${path}`
  if (init?.method) written.push([call, init.body ? JSON.parse(String(init.body)) : undefined])
  if (call in replies) {
    const reply = replies[call]
    return reply instanceof Response ? reply.clone() : Response.json(reply)
  }
  if (path === '/api/admin/providers') return Response.json(providers)
  if (path === '/api/admin/models') return Response.json(models)
  if (path === '/api/admin/model-access') return Response.json(access)
  if (init?.method === 'DELETE') return new Response(null, { status: 204 })
  return Response.json({ error: `Nothing answers ${call}` }, { status: 500 })
}

beforeEach(() => {
  window.history.replaceState(null, '', '/settings/models')
  // What jsdom lacks of a browser and the kit's lists ask for.
  Element.prototype.hasPointerCapture = () => false
  Element.prototype.scrollIntoView = () => undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  vi.stubGlobal('fetch', network)
  providers = [ANTHROPIC, OFFICE]
  models = [CLAUDE, LLAMA]
  access = {
    everyone: [1],
    people: [{ userId: 2, username: 'grace', modelIds: [11] }],
    groups: [{ groupId: 3, name: 'Support', modelIds: [] }],
  }
  replies = {}
  written = []
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ModelsPanel />
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const group = async (name: string) => within(await screen.findByRole('region', { name }))
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const openMenu = async (alias: string, item: string) => {
  await press(`More: ${alias}`)
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

test('Models stand below their providers, with the key’s last four characters, context, prices and what they can do; keys of the environment are named, not shown.', async () => {
  const anthropic = await group('Anthropic')
  expect(anthropic.getByText('•••• 9Kd4', { exact: false })).toBeTruthy()
  expect(anthropic.getByText('ANTHROPIC_API_KEY')).toBeTruthy()
  expect(anthropic.queryByRole('button', { name: 'Remove Anthropic' })).toBeNull()
  const row = within(anthropic.getByRole('listitem'))
  for (const text of ['claude', 'claude-sonnet-5-5', '1 M', '$3.00 / $15.00', 'text, images, JSON schema']) {
    expect(row.getByText(text)).toBeTruthy()
  }
  const office = await group('Office server')
  expect(office.getByText('https://models.example.org/v1')).toBeTruthy()
  expect(office.getByText(/added here by maren/)).toBeTruthy()
  expect(office.getByText('no price set')).toBeTruthy()
})

test('A test shows the time that the answer took, or why there was none in a sentence; all can be tested at once.', async () => {
  replies = {
    'POST /api/admin/models/claude/test': {
      ...{ ok: true, ms: 412, modelId: 'claude-sonnet-5-5', error: null },
      address: 'https://api.anthropic.com/v1/messages',
    },
    'POST /api/admin/models/llama/test': {
      ...{ ok: false, ms: 9, modelId: null, error: 'It does not answer.', address: null },
    },
  }
  await press('Test claude')
  expect(await screen.findByRole('button', { name: '412 ms: test claude again' })).toBeTruthy()
  expect(screen.getByRole('status', { name: 'Test of claude' }).textContent).toBe(
    'claude answered in 412 ms Asked: https://api.anthropic.com/v1/messages',
  )
  await press('Test all')
  expect(await screen.findByText('It does not answer.')).toBeTruthy()
  expect(written.map(([call]) => call)).toEqual([
    'POST /api/admin/models/claude/test',
    'POST /api/admin/models/claude/test',
    'POST /api/admin/models/llama/test',
  ])
})

const NO_KEY = { ...ANTHROPIC, id: 2, name: 'OpenAI', kind: 'openai', keyEnd: null } as const
const GPT: ManagedModel = {
  ...CLAUDE,
  ...{ id: 2, alias: 'openai', label: 'GPT-4o', provider: 'openai', providerId: 2, configured: false },
}
const posted = () => written.map(([call]) => call)

test('The beginning of a model’s key proposes its provider, and nothing is sent before ‘Test and add’.', async () => {
  const added = { ...OFFICE, id: 9, name: 'OpenAI', kind: 'openai' }
  const moved = { ...GPT, providerId: 9, configured: true, isFromEnvironment: false, modelId: 'gpt-4o' }
  replies = {
    'POST /api/admin/providers/list-models': {
      ok: false,
      models: [],
      known: [],
      error: 'OpenAI refused the key.',
      address: null,
    },
    'POST /api/admin/providers': added,
    'PATCH /api/admin/models/2': moved,
    'POST /api/admin/models/openai/test': {
      ok: true,
      ms: 530,
      modelId: 'gpt-4o',
      error: null,
      address: null,
    },
  }
  providers = [ANTHROPIC, NO_KEY]
  models = [CLAUDE, GPT]
  await press('Add provider')
  const key = screen.getByLabelText<HTMLInputElement>('Key')
  expect([key.type, key.autocomplete, document.activeElement === key]).toEqual([
    'password',
    'new-password',
    true,
  ])
  const provider = () => screen.getByRole('combobox', { name: 'Provider' }).textContent
  await userEvent.type(key, 'sk-or-v1-key')
  expect(provider()).toBe('Choose')
  await press(/^Test and add/)
  expect(await screen.findByText('Choose the provider of the key')).toBeTruthy()
  await userEvent.clear(key)
  await userEvent.type(key, 'AIzaKey')
  expect(provider()).toBe('Google Gemini')
  await userEvent.clear(key)
  await userEvent.type(key, 'sk-ant-key')
  expect(provider()).toBe('Anthropic')
  await userEvent.clear(key)
  await userEvent.type(key, 'sk-proj-key')
  await userEvent.tab()
  expect(provider()).toBe('OpenAI')
  expect(written).toEqual([])

  await press(/^Test and add/)
  expect((await screen.findByRole('alert')).textContent).toBe('OpenAI refused the key.')
  expect(posted()).toEqual(['POST /api/admin/providers/list-models'])
  replies['POST /api/admin/providers/list-models'] = {
    ok: true,
    models: ['gpt-4o'],
    known: [],
    error: null,
    address: null,
  }
  await userEvent.type(key, '2')
  await press(/^Test and add/)
  await vi.waitFor(() => expect(screen.queryByRole('form', { name: 'Add provider' })).toBeNull())
  expect(written.slice(2)).toEqual([
    ['POST /api/admin/providers', { kind: 'openai', name: 'OpenAI', apiKey: 'sk-proj-key2' }],
    ['PATCH /api/admin/models/2', { providerId: 9 }],
    ['POST /api/admin/models/openai/test', undefined],
  ])
})

test('A provider that does not take its key is added all the same when that is wanted.', async () => {
  replies = {
    'POST /api/admin/providers/list-models': {
      ok: false,
      models: [],
      known: [],
      error: 'It may not list.',
      address: null,
    },
    'POST /api/admin/providers': { ...OFFICE, id: 9, name: 'Anthropic', kind: 'anthropic' },
  }
  await press('Add provider')
  await userEvent.type(screen.getByLabelText('Key'), 'sk-ant-key')
  await press(/^Test and add/)
  await press(/^Add anyway/)
  await vi.waitFor(() =>
    expect(posted()).toEqual(['POST /api/admin/providers/list-models', 'POST /api/admin/providers']),
  )
})

test('A server is added by its address, then a model found there or typed. What was refused is corrected where it stands.', async () => {
  const added = { ...OFFICE, id: 9, name: 'This machine', keyEnd: null, allowsPrivateAddress: true }
  const address = 'http://localhost:11434/v1/models'
  const found = { ok: true, models: ['qwen3-32b', 'phi-4'], known: [], error: null, address }
  replies = {
    'POST /api/admin/providers/list-models': found,
    'POST /api/admin/providers': added,
    'POST /api/admin/providers/9/list-models': found,
    'POST /api/admin/models': Response.json(
      { error: 'Taken', details: [{ path: 'alias', message: 'There is a model qwen already.' }] },
      { status: 409 },
    ),
    'POST /api/admin/models/qwen2/test': {
      ...{ ok: true, ms: 1900, modelId: 'qwen3-32b', error: null },
      address: 'http://localhost:11434/v1/chat/completions',
    },
  }
  await press('Add provider')
  await userEvent.click(screen.getByRole('combobox', { name: 'Provider' }))
  await userEvent.click(await screen.findByRole('option', { name: 'OpenAI-compatible server' }))
  await press(/^Test and add/)
  expect(await screen.findByText('Address is required')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Name'), 'This machine')
  await userEvent.type(screen.getByLabelText('Address'), 'http://localhost:11434/v1')
  await userEvent.click(screen.getByRole('switch', { name: 'On this machine or network' }))
  expect(written).toEqual([])
  providers = [ANTHROPIC, OFFICE, added]
  await press(/^Test and add/)
  await screen.findByRole('form', { name: 'Add models of This machine' })
  await press('Type a model’s name')
  const form = within(await screen.findByRole('form', { name: 'Add model of This machine' }))
  expect(await form.findByText('2 models found')).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: 'Test and add' }))
  expect(await form.findByText('Model is required')).toBeTruthy()
  expect(form.queryByText('Label is required')).toBeNull()
  await userEvent.type(form.getByLabelText('Alias'), 'qwen')
  await userEvent.click(form.getByLabelText('Model'))
  await userEvent.click(await screen.findByRole('option', { name: /qwen3-32b/ }))
  expect(form.getByText('One of 2 models found')).toBeTruthy()
  expect(form.getByText(`Asked: ${address}`)).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: 'Test and add' }))
  expect(await form.findByText('There is a model qwen already.')).toBeTruthy()
  replies['POST /api/admin/models'] = { ...LLAMA, id: 12, alias: 'qwen2', providerId: 9 }
  await userEvent.type(form.getByLabelText('Alias'), '2')
  await userEvent.click(form.getByRole('button', { name: 'Test and add' }))
  await vi.waitFor(() => expect(posted().at(-1)).toBe('POST /api/admin/models/qwen2/test'))
  expect(written.find(([call]) => call === 'POST /api/admin/providers')?.[1]).toEqual({
    kind: 'compatible',
    name: 'This machine',
    baseUrl: 'http://localhost:11434/v1',
    allowsPrivateAddress: true,
  })
  expect(written.findLast(([call]) => call === 'POST /api/admin/models')?.[1]).toMatchObject({
    alias: 'qwen2',
    modelId: 'qwen3-32b',
    providerId: 9,
  })
})

test('A new key is tried before it replaces the old one; a refused one waits beside it until it is wanted all the same.', async () => {
  const waiting = { ...OFFICE, newKeyEnd: 'Ab12' }
  replies = {
    'PATCH /api/admin/providers/5': waiting,
    'POST /api/admin/providers/5/replace-key': { ok: false, error: 'It was refused.', provider: waiting },
  }
  await press('Replace key of Office server')
  providers = [ANTHROPIC, waiting]
  await userEvent.type(screen.getByLabelText('New key'), 'sk-new-key-Ab12')
  await press(/^Test and replace/)
  expect((await screen.findByRole('alert')).textContent).toContain('rejected the new key: It was refused.')
  replies['POST /api/admin/providers/5/replace-key'] = { ok: true, error: null, provider: OFFICE }
  await press(/^Replace anyway/)
  await vi.waitFor(() =>
    expect(toastStore.getSnapshot()).toMatchObject([{ title: 'Office server has its new key' }]),
  )
  expect(written).toEqual([
    ['PATCH /api/admin/providers/5', { apiKey: 'sk-new-key-Ab12' }],
    ['POST /api/admin/providers/5/replace-key', { isConfirmed: false }],
    ['POST /api/admin/providers/5/replace-key', { isConfirmed: true }],
  ])
})

test('A model shows what it cost and how much asks for it, before it is deleted too.', async () => {
  replies = {
    'GET /api/admin/models/11/usage': {
      monthUsd: 4.2,
      totalUsd: 31,
      prompts: 12,
      steps: 1,
      schedules: 0,
      evaluations: 0,
    },
  }
  await openMenu('llama', 'Delete')
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(
    await dialog.findByText(
      'It cost $4.20 this month and $31.00 in total. 12 prompts and 1 step of chains use it.',
    ),
  ).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await vi.waitFor(() => expect(written).toEqual([['DELETE /api/admin/models/11', undefined]]))
})

test('Prices are set for a model; names of the environment’s are not.', async () => {
  replies = { 'PATCH /api/admin/models/1': CLAUDE }
  await openMenu('claude', 'Change prices')
  await userEvent.type(screen.getByLabelText('Input'), '2.5')
  await press(/^Save/)
  expect(await screen.findByText('A price is a number of dollars, such as 1.25')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Output'), '10')
  await press(/^Save/)
  await vi.waitFor(() =>
    expect(written).toEqual([
      ['PATCH /api/admin/models/1', { prices: { input: 2.5, output: 10, cached: null } }],
    ]),
  )
  await openMenu('claude', 'Edit')
  expect(screen.queryByLabelText('Label')).toBeNull()
  await press('Cancel')
  await press('More: claude')
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
})

test('a price with a decimal comma is that price, one that can be read in two ways is asked about, and a stored one is neither', async () => {
  replies = { 'PATCH /api/admin/models/1': CLAUDE }
  await openMenu('claude', 'Change prices')
  await userEvent.type(screen.getByLabelText('Input'), '0,25')
  await userEvent.type(screen.getByLabelText('Output'), '1.375')
  await press(/^Save/)
  expect(await screen.findByText('“1.375” can be read in two ways. Write 1375 or 1.3750')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Output'), '{Backspace}{Backspace}{Backspace}{Backspace},50')
  await press(/^Save/)
  await vi.waitFor(() =>
    expect(written).toEqual([
      ['PATCH /api/admin/models/1', { prices: { input: 0.25, output: 1.5, cached: null } }],
    ]),
  )
  await openMenu('claude', 'Edit')
  await userEvent.type(screen.getByLabelText('Monthly limit in dollars'), '1.000')
  await press(/^Save/)
  expect(await screen.findByText('“1.000” can be read in two ways. Write 1000 or 1')).toBeTruthy()
})

test('The order of models is set, and each is switched off or on.', async () => {
  replies = { 'PATCH /api/admin/models/1': CLAUDE, 'PATCH /api/admin/models/11': LLAMA }
  await openMenu('llama', 'Move up in lists')
  await vi.waitFor(() => expect(written).toHaveLength(2))
  await openMenu('llama', 'Switch off')
  await vi.waitFor(() => expect(written).toHaveLength(3))
  expect(written).toEqual([
    ['PATCH /api/admin/models/11', { position: 0 }],
    ['PATCH /api/admin/models/1', { position: 1 }],
    ['PATCH /api/admin/models/11', { isEnabled: false }],
  ])
})

test('Everyone’s models and a person’s own list are set, and the list is taken away again.', async () => {
  replies = {
    'PATCH /api/admin/models/11': LLAMA,
    'PUT /api/admin/model-access/2': access,
  }
  await press('Models of Everyone')
  await userEvent.click(await screen.findByRole('switch', { name: 'llama' }))
  await press(/^Save/)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Models of grace')
  await userEvent.click(await screen.findByRole('switch', { name: 'claude' }))
  await press(/^Save/)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Models of grace')
  await press('Use everyone’s list')
  await vi.waitFor(() => expect(written).toHaveLength(3))
  expect(written).toEqual([
    ['PATCH /api/admin/models/11', { isForEveryone: true }],
    ['PUT /api/admin/model-access/2', { modelIds: [11, 1] }],
    ['DELETE /api/admin/model-access/2', undefined],
  ])
})

test('A group’s models, which its members have beside everyone’s, are set and taken away.', async () => {
  replies = { 'PUT /api/admin/groups/3/models': access }
  await press('Models of Support')
  await userEvent.click(await screen.findByRole('switch', { name: 'llama' }))
  await press(/^Save/)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Models of Support')
  await press('Remove list')
  await vi.waitFor(() => expect(written).toHaveLength(2))
  expect(written).toEqual([
    ['PUT /api/admin/groups/3/models', { modelIds: [11] }],
    ['DELETE /api/admin/groups/3/models', undefined],
  ])
})
