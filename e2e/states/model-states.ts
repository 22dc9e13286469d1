import type { Page } from 'playwright-core'
import { foundModels, modelAccess, models, modelUse, providers, vendorModels } from './model-answers.ts'
import { answers, fails, installation, never, together } from './network.ts'
import type { State } from './state.ts'
import { button, cardsShown, fill, inTurn, press, type Step, seen, there } from './steps.ts'

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

/** A key was taken: of its provider some models are there already. */
const keyAdded = together(
  registry,
  answers('/api/admin/providers/list-models', vendorModels),
  writes('/api/admin/providers', providers[1], 201),
)

/** What a write to the path is answered; reads go on as they are. */
function writes(path: string, body: unknown, status: number) {
  return (page: Page) =>
    page.route(
      (url) => url.pathname === path,
      (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status, json: body }) : route.fallback(),
    )
}

const panel = (...steps: Step[]) => inTurn(seen('Who may use which models'), seen('grace'), ...steps)
const menuItem = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click()
const addKey = inTurn(
  press('Add provider'),
  fill('Key', 'sk-proj-key'),
  press(/^Test and add/),
  seen('20 models found'),
)
const dialog = (name: string | RegExp) => there((page) => page.getByRole('dialog', { name }))
const typeModel = inTurn(
  press('Add a model of Office server'),
  press('Type a model’s name'),
  there((page) => page.getByRole('form', { name: 'Add model of Office server' })),
  seen('7 models found'),
)
const more = button('More: llama')

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
    prepare: inTurn(seen(/^No model key is set/), seen('no model')),
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
        ...{ ok: false, models: [], known: [], error: 'Anthropic refused the key.', address: null },
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
    name: 'key-added',
    path: '/',
    network: together(installation({ sandbox: true }), keyAdded),
    prepare: inTurn(
      cardsShown,
      press('Add a key'),
      fill('Key', 'sk-proj-key'),
      press(/^Test and add/),
      seen('Choose models'),
    ),
  },
  { ...base, name: 'found-models', network: keyAdded, prepare: panel(addKey) },
  {
    ...base,
    name: 'found-models-refused',
    network: together(
      keyAdded,
      writes(
        '/api/admin/models',
        {
          error: 'Taken',
          details: [{ path: 'alias', message: 'Another model has this alias. Choose another one.' }],
        },
        409,
      ),
    ),
    prepare: panel(
      addKey,
      press(/^Add selected/),
      there((page) => page.getByRole('alert')),
    ),
  },
  {
    ...base,
    name: 'found-models-none',
    network: keyAdded,
    prepare: panel(addKey, fill('Search the models found', 'no such model'), seen('No model has that name.')),
  },
  {
    ...base,
    name: 'add-models',
    prepare: panel(press('Add a model of Office server'), seen('7 models found')),
  },
  {
    ...base,
    name: 'add-models-looking',
    network: together(registry, never('/api/admin/providers/6/list-models')),
    prepare: panel(press('Add a model of Office server'), seen('Looking for models…')),
  },
  { ...base, name: 'add-model', prepare: panel(typeModel) },
  {
    ...base,
    name: 'add-model-choices',
    prepare: panel(typeModel),
    opener: (page) => page.getByLabel('Model', { exact: true }),
  },
  { ...base, name: 'model-menu', prepare: panel(), opener: more },
  {
    ...base,
    name: 'edit-model',
    prepare: panel(press('More: llama'), menuItem('Edit'), dialog('Edit llama'), seen(/7 models found/)),
  },
  {
    ...base,
    name: 'model-prices',
    prepare: panel(press('More: llama'), menuItem('Change prices'), dialog('Prices for llama')),
  },
  {
    ...base,
    name: 'delete-model',
    prepare: panel(press('More: llama'), menuItem('Delete'), seen(/ uses? it\.$/)),
  },
  { ...base, name: 'edit-provider', prepare: panel(press('Edit OpenAI'), dialog('Edit OpenAI')) },
  {
    ...base,
    name: 'remove-provider',
    prepare: panel(press('Remove OpenAI'), seen(/ uses? it\.$/)),
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
    prepare: panel(press('Give a person or group their own list'), dialog('Their own list')),
  },
]
