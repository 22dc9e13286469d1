import type { Instance, ModelStatus, Role } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/query-client.ts'
import { ModelBadge } from '../../runs/model-badge.tsx'
import { ModelSelect } from './model-select.tsx'
import { modelOf } from './models.ts'

const model = (fields: Pick<ModelStatus, 'alias' | 'label'> & Partial<ModelStatus>): ModelStatus => ({
  configured: true,
  keyVariable: 'A_KEY',
  provider: 'openai',
  modelId: 'm',
  ...fields,
})
const usual = [
  model({ alias: 'claude', label: 'Claude' }),
  model({ alias: 'openai', label: 'GPT-4o' }),
  model({ alias: 'gemini', label: 'Gemini', configured: false, keyVariable: 'GEMINI_API_KEY' }),
]
const own = model({ alias: 'custom', label: 'Llama at home', provider: 'custom' })

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(cleanup)

function showIn(models: ModelStatus[], role: Role = 'admin') {
  const client = createQueryClient()
  client.setQueryData(['session'], { id: 1, username: 'ada', email: 'ada@example.org', role })
  client.setQueryData(['administrators'], { names: ['Ana'], others: 0 })
  const instance: Instance = {
    version: '1',
    commit: null,
    build: '',
    registration: 'open',
    sandbox: false,
    readOnly: null,
    models,
    mail: true,
  }
  client.setQueryData(['instance'], instance)
  render(
    <QueryClientProvider client={client}>
      <ModelSelect value="claude" onChange={() => undefined} />
      <ModelBadge model="custom" />
      <ModelBadge model="nova" />
    </QueryClientProvider>,
  )
}

const offered = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Model: Claude' }))
  return (await screen.findAllByRole('menuitemradio')).map(({ textContent }) => textContent)
}

test('the three models are offered, to administrators with the setting that one lacks; others of earlier runs keep a name', async () => {
  showIn(usual)
  expect(screen.getByText('Custom')).toBeTruthy()
  expect(screen.getByText('nova')).toBeTruthy()
  expect(await offered()).toEqual(['Claude', 'GPT-4o', 'GeminiNo key: set GEMINI_API_KEY'])
})

test('who may not set a key is told whom to ask for it', async () => {
  showIn(usual, 'user')
  expect((await offered()).at(-1)).toBe('GeminiNo key: ask Ana')
})

test('a model of one’s own is offered too, and everywhere called as settings say', async () => {
  showIn([...usual, own])
  expect(screen.getByText('Llama at home')).toBeTruthy()
  expect((await offered()).at(-1)).toBe('Llama at home')
})

test.each([
  { name: 'custom', models: [...usual, own], model: 'custom' },
  { name: 'custom', models: usual, model: 'claude' },
  { name: 'gemini', models: usual, model: 'gemini' },
  { name: null, models: [model({ alias: 'claude', label: 'C', configured: false }), own], model: 'custom' },
  { name: null, models: [model({ alias: 'claude', label: 'C', configured: false })], model: 'claude' },
])('an address that names $name means $model', ({ name, models, model }) => {
  expect(modelOf({ name, models })).toBe(model)
})
