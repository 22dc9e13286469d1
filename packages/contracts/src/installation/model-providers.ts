import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { nameText } from '../names.ts'
import { registeredPrice } from './model-registry.ts'
import { capabilities, PROVIDER_KINDS, type ProviderKind } from './models.ts'

export const PROVIDERS_MAX = 50
export const PROVIDER_NAME_MAX = 50
const ADDRESS_MAX = 500
const API_KEY_MAX = 2_000

const providerKind = z
  .enum(Object.keys(PROVIDER_KINDS) as ProviderKind[])
  .describe('API used to call its models. compatible: any server with OpenAI’s chat completions API.')

export const modelProvider = z.object({
  id,
  name: z.string().describe('Name shown to admins.'),
  kind: providerKind,
  baseUrl: z.string().nullable().describe('Address of its API; null: the environment gives none.'),
  isFromEnvironment: z.boolean().describe('Set by the environment, so it can’t be changed here.'),
  keySetting: z.string().nullable().describe('Setting that holds its key; null: its key is kept here.'),
  keyEnd: z.string().nullable().describe('Last four characters of its key; null: it has none.'),
  newKeyEnd: z
    .string()
    .nullable()
    .describe('The same for a new key that has not replaced the old one yet; null: there is none.'),
  allowsPrivateAddress: z.boolean().describe('Its address may be on this machine or network.'),
  addedBy: z.string().nullable().describe('Who added it; null: the environment, or a deleted account.'),
  addedAt: timestamp.nullable().describe('null: the environment.'),
})
export type ModelProvider = z.infer<typeof modelProvider>

const providerFields = {
  name: nameText('Name is required')
    .max(PROVIDER_NAME_MAX, `A name can have at most ${PROVIDER_NAME_MAX} characters`)
    .describe('Name shown to admins.'),
  kind: providerKind,
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'Enter an address such as https://api.example.org/v1' })
    .max(ADDRESS_MAX)
    .refine(hasNoCredentials, 'Leave out user, password and fragment')
    .describe(
      'Address of its API; required for compatible, others have a default. For OpenAI’s API, /v1 is added to a bare origin and any other path is used as written; /v1 is added for Anthropic and /v1beta for Gemini unless the path ends in a version. A pasted /chat/completions is removed, and a query is kept (D72).',
    ),
  apiKey: z
    .string()
    .trim()
    .min(1)
    .max(API_KEY_MAX)
    .regex(/^[\x21-\x7e]+$/, 'A key has no spaces and no letters beyond ASCII')
    .describe('Key, encrypted when saved. No reply contains it.'),
  allowsPrivateAddress: z
    .boolean()
    .describe('Its address may be on this machine or network. Link-local addresses are never allowed.'),
}

export const createProviderRequest = z.strictObject({
  name: providerFields.name,
  kind: providerFields.kind,
  baseUrl: providerFields.baseUrl.optional(),
  apiKey: providerFields.apiKey.optional(),
  allowsPrivateAddress: providerFields.allowsPrivateAddress.default(false),
})
export type CreateProviderRequest = z.input<typeof createProviderRequest>

export const updateProviderRequest = z.strictObject({
  name: providerFields.name.optional(),
  baseUrl: providerFields.baseUrl
    .optional()
    .describe('Changing the origin removes its keys, as they belong to the old one.'),
  apiKey: providerFields.apiKey
    .nullable()
    .optional()
    .describe('A first key is used at once; a second waits until replace-key. null: removes all keys.'),
  allowsPrivateAddress: providerFields.allowsPrivateAddress.optional(),
})
export type UpdateProviderRequest = z.infer<typeof updateProviderRequest>

const replaceKeyRequest = z.strictObject({
  isConfirmed: z.boolean().default(false).describe('Even if the provider rejects the new key.'),
})
export type ReplaceKeyRequest = z.input<typeof replaceKeyRequest>

export const replacedKey = z.object({
  ok: z.boolean().describe('The new key has replaced the old one, which is deleted.'),
  error: z.string().nullable().describe('Why the provider rejected the new key.'),
  provider: modelProvider.describe('The provider after the call.'),
})
export type ReplacedKey = z.infer<typeof replacedKey>

const knownModel = z.object({
  modelId: z.string().describe('The provider’s name for the model.'),
  contextTokens: z.int().nullable().describe('Maximum number of input tokens; null: unknown.'),
  price: registeredPrice.nullable().describe('Its usual price; null: not known.'),
  capabilities: capabilities.describe('What it can do besides answering in text.'),
})
export type KnownModel = z.infer<typeof knownModel>

export const providerModels = z.object({
  ok: z.boolean().describe('The provider answered.'),
  models: z.array(z.string()).describe('Names of its models, sorted; at most 1,000.'),
  known: z.array(knownModel).describe('Those of them whose price or context is known.'),
  error: z.string().nullable().describe('Why it did not answer.'),
  address: z.string().nullable().describe('Address that was called; null: none.'),
})
export type ProviderModels = z.infer<typeof providerModels>

export const listModelsRequest = createProviderRequest.omit({ name: true })
export type ListModelsRequest = z.input<typeof listModelsRequest>

function hasNoCredentials(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.username === '' && url.password === '' && url.hash === ''
}

export const providersApi = defineApi('models', {
  'GET /api/admin/providers': {
    who: 'admin',
    summary: 'List model providers',
    description: 'Shows only the last four characters of each key.',
    reply: z.array(modelProvider),
    errors: [401, 403],
  },
  'POST /api/admin/providers': {
    who: 'admin',
    summary: 'Add a provider',
    description: 'Its key is encrypted when saved.',
    body: createProviderRequest,
    created: modelProvider,
    errors: [401, 403, 404, 409],
    activity: { kind: 'model_provider.added', object: 'model_provider' },
  },
  'PATCH /api/admin/providers/{id}': {
    who: 'admin',
    summary: 'Change a provider',
    description:
      'Changing the origin of the address removes its keys. Providers set by the environment can’t be changed.',
    params: idParams,
    body: updateProviderRequest,
    reply: modelProvider,
    errors: [401, 403, 404, 409],
    activity: { kind: 'model_provider.changed', object: 'model_provider' },
  },
  'DELETE /api/admin/providers/{id}': {
    who: 'admin',
    summary: 'Remove a provider that has no models',
    params: idParams,
    errors: [401, 403, 404, 409],
    activity: { kind: 'model_provider.removed', object: 'model_provider' },
  },
  'POST /api/admin/providers/{id}/replace-key': {
    who: 'admin',
    summary: 'Replace a provider’s key with its new one',
    description:
      'Tests the new key by listing models. The old key is deleted only if that works, or if you confirm.',
    params: idParams,
    body: replaceKeyRequest,
    reply: replacedKey,
    errors: [401, 403, 404, 409],
    activity: { kind: 'model_provider.key_replaced', object: 'model_provider' },
  },
  'POST /api/admin/providers/{id}/list-models': {
    who: 'admin',
    summary: 'List a provider’s models',
    description: 'A failed call is a result with the reason.',
    params: idParams,
    body: z.strictObject({}).nullish(),
    reply: providerModels,
    errors: [401, 403, 404, 409],
    activity: { none: 'It asks a provider and changes nothing.' },
  },
  'POST /api/admin/providers/list-models': {
    who: 'admin',
    summary: 'List the models of a provider that is not saved yet',
    body: listModelsRequest,
    reply: providerModels,
    errors: [401, 403, 404, 409],
    activity: { none: 'It asks a provider and changes nothing.' },
  },
})
