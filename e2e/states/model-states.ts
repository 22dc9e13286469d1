import type { Page } from 'playwright-core'
import { foundModels, modelAccess, models, modelUse, providers } from './model-answers.ts'
import { answers, fails, installation, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, fill, inTurn, press, type Step, seen, there } from './steps.ts'

const OK = {
  ...{ ok: true, ms: 412, modelId: 'claude-sonnet-5-5', error: null },
  address: 'https://api.anthropic.com/v1/messages',
}
const REFUSED = {
  ok: false,
  address: null,
  ms: 80,
  modelId: null,
  error: 'The key’s project may not use gpt-6.1-sol. Allow it at OpenAI, or take another model.',
}

/** The whole registry, without a vendor. */
const registry = together(
  answers('/api/admin/providers', providers),
  answers('/api/admin/models', models),
  answers('/api/admin/model-access', modelAccess),
  answers(/^\/api\/admin\/models\/\d+\/usage$/, modelUse),
  answers(/^\/api\/admin\/models\/[a-z-]+\/test$/, OK),
  answers('/api/admin/models/llama/test', { ...OK, ms: 1912 }),
  answers('/api/admin/models/gpt/test', REFUSED),
  answers(/^\/api\/admin\/providers(\/\d+)?\/list-models$/, foundModels),
)

const panel = (...steps: Step[]) => inTurn(seen('Who may use which models'), seen('grace'), ...steps)
const menuItem = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click()
const dialog = (name: string | RegExp) => there((page) => page.getByRole('dialog', { name }))
const more = button('More about llama')

const base = { who: 'admin', path: '/settings/models', network: registry } as const

/** The registry of models as admins keep it. */
export const modelStates: readonly State[] = [
  { ...base, name: 'admin-models', prepare: panel() },
  {
    ...base,
    name: 'admin-models-tested',
    prepare: panel(press('Test all'), seen('412 ms'), seen(/project may not use/)),
  },
  {
    ...base,
    name: 'admin-models-sandbox',
    network: together(
      installation({ sandbox: true }),
      answers(
        '/api/admin/providers',
        providers.slice(0, 3).map((one) => ({ ...one, keyEnd: null })),
      ),
      answers('/api/admin/models', []),
      answers('/api/admin/model-access', { everyone: [], people: [], groups: [] }),
    ),
    prepare: inTurn(seen(/^The sandbox answers until/), seen('no model')),
  },
  {
    ...base,
    name: 'admin-models-loading',
    network: never('/api/admin/models'),
  },
  {
    ...base,
    name: 'admin-models-error',
    network: fails('/api/admin/providers'),
    prepare: inTurn(seen('Try again')),
  },
  {
    ...base,
    name: 'add-provider',
    prepare: panel(
      press('Add provider'),
      (page) => page.getByRole('combobox', { name: 'Provider' }).click(),
      (page) => page.getByRole('option', { name: 'OpenAI-compatible server' }).click(),
      fill('Address', 'http://localhost:11434/v1'),
      fill('Name', 'This machine'),
      (page) => page.getByRole('switch', { name: 'On this machine or network' }).click(),
    ),
  },
  {
    ...base,
    name: 'add-provider-errors',
    prepare: panel(
      press('Add provider'),
      press(/^Test and add/),
      there((page) => page.getByRole('alert')),
    ),
  },
  {
    ...base,
    name: 'add-provider-refused',
    network: together(
      registry,
      answers('/api/admin/providers/list-models', {
        ...{ ok: false, models: [], error: 'Anthropic refused the key.', address: null },
      }),
    ),
    prepare: panel(
      press('Add provider'),
      fill('Key', 'sk-ant-api03-key'),
      press(/^Test and add/),
      seen('Anthropic refused the key.'),
    ),
  },
  {
    ...base,
    name: 'add-model',
    prepare: panel(press('Add a model of Office server'), seen('7 models found')),
  },
  {
    ...base,
    name: 'add-model-choices',
    prepare: panel(press('Add a model of Office server'), seen('7 models found')),
    opener: (page) => page.getByLabel('Model', { exact: true }),
  },
  { ...base, name: 'model-menu', prepare: panel(), opener: more },
  {
    ...base,
    name: 'edit-model',
    prepare: panel(press('More about llama'), menuItem('Edit'), dialog('Edit llama'), seen(/7 models found/)),
  },
  {
    ...base,
    name: 'model-prices',
    prepare: panel(press('More about llama'), menuItem('Prices from now on'), dialog('Prices of llama')),
  },
  {
    ...base,
    name: 'delete-model',
    prepare: panel(press('More about llama'), menuItem('Delete'), seen(/ask for it\.$/)),
  },
  { ...base, name: 'edit-provider', prepare: panel(press('Edit OpenAI'), dialog('Edit OpenAI')) },
  {
    ...base,
    name: 'remove-provider',
    prepare: panel(press('Remove OpenAI'), seen(/ask for it\.$/)),
  },
  {
    ...base,
    name: 'replace-key',
    network: together(
      registry,
      answers(
        '/api/admin/providers',
        providers.map((one) => (one.id === 5 ? { ...one, newKeyEnd: 'Ab12' } : one)),
      ),
      answers('/api/admin/providers/5/replace-key', {
        ok: false,
        error: 'OpenAI refused the key.',
        provider: { ...providers[1], newKeyEnd: 'Ab12' },
      }),
    ),
    prepare: panel(press('Replace key of OpenAI'), press(/^Test and replace/), seen(/rejected the new key/)),
  },
  {
    ...base,
    name: 'models-of-everyone',
    prepare: panel(press('Models of Everyone'), dialog('Everyone’s models')),
  },
  {
    ...base,
    name: 'models-of-person',
    prepare: panel(press('Models of grace'), dialog('Models of grace')),
  },
  {
    ...base,
    name: 'models-of-new-person',
    prepare: panel(press('Add a person or a group with a list of their own'), dialog('Their own list')),
  },
]
