import type { ManagedModel } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import ModelsPanel from './models-panel.tsx'
import { ANTHROPIC, CLAUDE, LLAMA, OFFICE } from './testing/model-examples.ts'

type Answer = (body: Partial<ManagedModel>) => Response

let written: [string, unknown][]
let models: ManagedModel[]
let answers: Record<string, Answer>

beforeEach(() => {
  window.history.replaceState(null, '', '/settings/models')
  written = []
  models = [CLAUDE, LLAMA]
  answers = {
    'GET /api/admin/providers': () => Response.json([ANTHROPIC, OFFICE]),
    'GET /api/admin/models': () => Response.json(models),
    'GET /api/admin/model-access': () => Response.json({ everyone: [1], people: [] }),
    'POST /api/admin/models': (body) => {
      const added = { ...LLAMA, ...body, id: 20 + models.length }
      models = [...models, added]
      return Response.json(added, { status: 201 })
    },
  }
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const call = `${init?.method ?? 'GET'} ${path}`
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    if (init?.method) written.push([call, body])
    if (call.endsWith('/test')) {
      return Response.json({ ok: true, ms: 300, modelId: null, error: null, address: null })
    }
    return answers[call]?.(body) ?? Response.json({ error: `Nothing answers ${call}` }, { status: 500 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function showPanel() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ModelsPanel />
    </QueryClientProvider>,
  )
}

const lists = (...found: string[]) => ({
  ...{ ok: true, models: found, error: null, address: null },
  known: [
    {
      ...{ modelId: 'claude-opus-5-5', contextTokens: 1_000_000, capabilities: CLAUDE.capabilities },
      price: { input: 4, output: 20, cached: null },
    },
  ],
})
const VENDOR = ['claude-haiku-5-5', 'claude-opus-5', 'claude-opus-5-5', 'claude-sonnet-5-5']
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const formOf = async (name: string) => within(await screen.findByRole('form', { name }))
const box = (modelId: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: modelId })
const sent = (call: string) => written.filter(([made]) => made === call).map(([, body]) => body)

async function addAnthropic() {
  models = [{ ...CLAUDE, configured: false }, LLAMA]
  answers['POST /api/admin/providers/list-models'] = () => Response.json(lists(...VENDOR))
  answers['POST /api/admin/providers'] = () =>
    Response.json({ ...OFFICE, id: 9, name: 'Anthropic', kind: 'anthropic' }, { status: 201 })
  answers['PATCH /api/admin/models/1'] = () => {
    const moved = { ...CLAUDE, providerId: 9, isFromEnvironment: false }
    models = [moved, LLAMA]
    return Response.json(moved)
  }
  showPanel()
  await press('Add provider')
  await userEvent.type(screen.getByLabelText('Key'), 'sk-ant-key')
  await press(/^Test and add/)
  return formOf('Add models of Anthropic')
}

test('After a key is added the models that its provider lists are shown, the newest of them chosen, with what is known of them; ‘Add selected’ adds each under its alias and tests it.', async () => {
  const form = await addAnthropic()
  expect(form.getByText('4 models found')).toBeTruthy()
  expect(form.getByText('2 chosen')).toBeTruthy()
  expect(VENDOR.map((modelId) => [box(modelId).checked, box(modelId).disabled])).toEqual([
    [true, false],
    [false, false],
    [true, false],
    [true, true],
  ])
  expect(form.getByText('Anthropic is added, and claude uses its key.')).toBeTruthy()
  expect(form.getByText('$4.00 / $20.00')).toBeTruthy()
  expect(form.getByText('1 M')).toBeTruthy()
  expect(sent('POST /api/admin/models')).toEqual([])
  const alias = form.getByLabelText('Alias of claude-opus-5-5')
  expect(alias).toHaveProperty('value', 'opus')
  await userEvent.clear(alias)
  await userEvent.type(alias, 'best')
  await userEvent.click(box('claude-opus-5'))
  await userEvent.click(box('claude-haiku-5-5'))
  await press(/^Add selected/)
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  expect(sent('POST /api/admin/models')).toEqual([
    { alias: 'best', label: 'Claude Opus 5.5', modelId: 'claude-opus-5-5', providerId: 9 },
    { alias: 'opus-5', label: 'Claude Opus 5', modelId: 'claude-opus-5', providerId: 9 },
  ])
  await waitFor(() =>
    expect(written.filter(([call]) => call.endsWith('/test')).map(([call]) => call)).toEqual([
      'POST /api/admin/models/claude/test',
      'POST /api/admin/models/best/test',
      'POST /api/admin/models/opus-5/test',
    ]),
  )
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add provider' }))
})

test('Of several models one that is refused says why at its row, and the others are added.', async () => {
  const form = await addAnthropic()
  const add = answers['POST /api/admin/models']
  answers['POST /api/admin/models'] = (body) =>
    body.alias === 'haiku'
      ? Response.json(
          { error: 'Taken', details: [{ path: 'alias', message: 'There is already a model haiku.' }] },
          { status: 409 },
        )
      : (add as Answer)(body)
  await press(/^Add selected/)
  expect((await form.findByRole('alert')).textContent).toBe('There is already a model haiku.')
  expect(box('claude-opus-5-5').disabled).toBe(true)
  expect(form.getByText('1 chosen')).toBeTruthy()
  await userEvent.type(form.getByLabelText('Alias of claude-haiku-5-5'), '-5')
  expect(form.queryByRole('alert')).toBeNull()
  await press(/^Add selected/)
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  expect(sent('POST /api/admin/models').at(-1)).toMatchObject({ alias: 'haiku-5' })
})

test('what refuses one of several for another reason than itself stops them, and says so above', async () => {
  const form = await addAnthropic()
  answers['POST /api/admin/models'] = () =>
    Response.json({ error: 'There are 200 models. Remove one to add another.' }, { status: 409 })
  await press(/^Add selected/)
  expect((await form.findByRole('alert')).textContent).toContain('There are 200 models.')
  expect(sent('POST /api/admin/models')).toHaveLength(1)
})

test('Of many models none is chosen for a server of one’s own, and a search finds them.', async () => {
  const many = Array.from({ length: 120 }, (_, index) => `model-${index}`)
  answers['POST /api/admin/providers/5/list-models'] = () => Response.json(lists(...many))
  showPanel()
  await press('Add a model of Office server')
  const form = await formOf('Add models of Office server')
  expect(window.location.search).toBe('?add=5')
  expect(form.getByText('none chosen')).toBeTruthy()
  expect(form.getAllByRole('checkbox')).toHaveLength(100)
  const search = form.getByRole('searchbox')
  await userEvent.type(search, '119')
  await userEvent.click(box('model-119'))
  await userEvent.type(search, 'x{Enter}')
  expect(form.getByText('No model has that name.')).toBeTruthy()
  expect(sent('POST /api/admin/models')).toEqual([])
  await userEvent.type(search, '{Escape}')
  expect(form.getAllByRole('checkbox')).toHaveLength(100)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('form')).toBeNull()
  expect(window.location.search).toBe('')
})

test('a provider that lists nothing is asked for a model by its name', async () => {
  answers['POST /api/admin/providers/5/list-models'] = () =>
    Response.json({ ok: false, models: [], known: [], error: 'It rests.', address: null })
  showPanel()
  await press('Add a model of Office server')
  const form = await formOf('Add model of Office server')
  expect(await form.findByText('It rests. Type the model’s name.')).toBeTruthy()
})
