import * as z from 'zod'
import { id, idParam, timestamp } from '../common.ts'
import { nameText } from '../names.ts'
import { capabilities, modelAlias, modelStatus, PROVIDER_KINDS, type ProviderKind } from './models.ts'

export const PROVIDERS_MAX = 50
export const MODELS_MAX = 200
/** People with a list of their own. */
export const MODEL_LISTS_MAX = 500
export const PROVIDER_NAME_MAX = 50
export const MODEL_LABEL_MAX = 40
const MODEL_ID_MAX = 200
const ADDRESS_MAX = 500
const API_KEY_MAX = 2_000
/** Dollars for a million tokens. */
const PRICE_MAX = 100_000
const CONTEXT_MAX = 100_000_000
const POSITION_MAX = 1_000_000
const LIMIT_MAX_USD = 1_000_000

const providerKind = z
  .enum(Object.keys(PROVIDER_KINDS) as ProviderKind[])
  .describe(
    'API by which its models are asked. compatible: any address that speaks OpenAI’s chat completions.',
  )

/** GET /api/admin/providers: where models are asked; never a key. */
export const modelProvider = z.object({
  id,
  name: z.string().describe('Name shown to admins.'),
  kind: providerKind,
  baseUrl: z.string().nullable().describe('Address of its API; null: the environment gives none.'),
  isFromEnvironment: z
    .boolean()
    .describe('Its settings stand in the environment; nothing of it can be changed here.'),
  keySetting: z.string().nullable().describe('Setting that holds its key; null: its key is kept here.'),
  keyEnd: z.string().nullable().describe('Last four characters of its key; null: it has none.'),
  newKeyEnd: z
    .string()
    .nullable()
    .describe('The same of a key that waits to take the place of the other; null: none waits.'),
  allowsPrivateAddress: z.boolean().describe('Its address may lie on this machine or network.'),
  addedBy: z.string().nullable().describe('Who added it; null: the environment, or someone who is gone.'),
  addedAt: timestamp.nullable().describe('null: the environment.'),
})
export type ModelProvider = z.infer<typeof modelProvider>

const providerFields = {
  name: nameText('Name is required')
    .max(PROVIDER_NAME_MAX, `A name has at most ${PROVIDER_NAME_MAX} characters`)
    .describe('Name shown to admins.'),
  kind: providerKind,
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'An address is such as https://api.example.org/v1' })
    .max(ADDRESS_MAX)
    .refine(hasNoCredentials, 'An address has no user, password or fragment')
    .describe(
      'Address of its API; compatible needs one, others have a usual one. Of OpenAI’s API a bare origin gets /v1, any other path is used as it is written; Anthropic’s gets /v1 and Gemini’s /v1beta unless the path ends in a version. A pasted /chat/completions is cut, and a query is kept (D72).',
    ),
  apiKey: z
    .string()
    .trim()
    .min(1)
    .max(API_KEY_MAX)
    .regex(/^[\x21-\x7e]+$/, 'A key has no spaces and no letters beyond ASCII')
    .describe('Key, sealed when it is saved: no reply has it.'),
  allowsPrivateAddress: z
    .boolean()
    .describe('Its address may lie on this machine or network. Link-local addresses never may.'),
}

/** POST /api/admin/providers */
export const createProviderRequest = z.strictObject({
  name: providerFields.name,
  kind: providerFields.kind,
  baseUrl: providerFields.baseUrl.optional(),
  apiKey: providerFields.apiKey.optional(),
  allowsPrivateAddress: providerFields.allowsPrivateAddress.default(false),
})
export type CreateProviderRequest = z.input<typeof createProviderRequest>

/** PATCH /api/admin/providers/{id} */
export const updateProviderRequest = z.strictObject({
  name: providerFields.name.optional(),
  baseUrl: providerFields.baseUrl
    .optional()
    .describe('Another origin takes its keys away, as they are meant for the other.'),
  apiKey: providerFields.apiKey
    .nullable()
    .optional()
    .describe(
      'A first key is used at once; another waits beside it until replace-key. null: takes all keys away.',
    ),
  allowsPrivateAddress: providerFields.allowsPrivateAddress.optional(),
})
export type UpdateProviderRequest = z.infer<typeof updateProviderRequest>

/** POST /api/admin/providers/{id}/replace-key */
export const replaceKeyRequest = z.strictObject({
  isConfirmed: z.boolean().default(false).describe('Also where the provider does not take the new key.'),
})
export type ReplaceKeyRequest = z.input<typeof replaceKeyRequest>

export const replacedKey = z.object({
  ok: z.boolean().describe('The new key has taken the place of the other, which is gone.'),
  error: z.string().nullable().describe('Why the provider did not take the new key.'),
  provider: modelProvider.describe('As it is then.'),
})
export type ReplacedKey = z.infer<typeof replacedKey>

/** POST /api/admin/providers/list-models and /api/admin/providers/{id}/list-models */
export const providerModels = z.object({
  ok: z.boolean().describe('The provider answered.'),
  models: z.array(z.string()).describe('Its names of its models, sorted; at most 1,000.'),
  error: z.string().nullable().describe('Why it did not.'),
  address: z.string().nullable().describe('Where it was asked; null: nowhere.'),
})
export type ProviderModels = z.infer<typeof providerModels>

/** POST /api/admin/providers/list-models: of a provider that is not saved yet. */
export const listModelsRequest = createProviderRequest.omit({ name: true })
export type ListModelsRequest = z.input<typeof listModelsRequest>

const price = z.number().min(0).max(PRICE_MAX)
export const registeredPrice = z.strictObject({
  input: price.describe('Dollars for a million tokens of input.'),
  output: price.describe('Dollars for a million tokens of output.'),
  cached: price
    .nullable()
    .default(null)
    .describe('The same of input from a cache; null: the vendor’s usual share.'),
})
export type RegisteredPrice = z.infer<typeof registeredPrice>

/** A model as admins see it. */
export const managedModel = modelStatus.extend({
  id,
  configured: z.boolean().describe('The model is set up.'),
  isFromEnvironment: z.boolean().describe('Alias, label, provider and model id stand in the environment.'),
  providerId: id.describe('Provider from GET /api/admin/providers.'),
  capabilities: capabilities.describe('What it can do beside answering texts.'),
  ownCapabilities: capabilities.partial().describe('What was set here; the rest goes by kind and model id.'),
  contextTokens: z.int().nullable().describe('Tokens that it reads at most; null: not known.'),
  price: registeredPrice.nullable().describe('Price in force, set here or known; null: none.'),
  isOwnPrice: z.boolean().describe('The price was set here.'),
  position: z.int().describe('Order in lists.'),
  isEnabled: z.boolean().describe('It can be chosen and asked.'),
  isForEveryone: z
    .boolean()
    .describe('It is in everyone’s list; else only those with a list of their own, and admins, may use it.'),
  monthlyLimitUsd: z
    .number()
    .nullable()
    .describe('No further call is made once that is spent in a month; null: no limit.'),
  spentUsd: z.number().describe('Cost of this month, UTC.'),
})
export type ManagedModel = z.infer<typeof managedModel>

const modelFields = {
  label: nameText('Label is required')
    .max(MODEL_LABEL_MAX, `A label has at most ${MODEL_LABEL_MAX} characters`)
    .describe('Name shown in the app.'),
  providerId: id.describe('Provider from GET /api/admin/providers.'),
  modelId: z
    .string()
    .trim()
    .min(1, 'Model is required')
    .max(MODEL_ID_MAX)
    .regex(/^[\x21-\x7e]+$/, 'A provider’s name of a model has no spaces')
    .describe('Provider’s name of the model.'),
  contextTokens: z
    .int()
    .min(1)
    .max(CONTEXT_MAX)
    .nullable()
    .describe('Tokens that it reads at most; null: not known.'),
  prices: registeredPrice
    .nullable()
    .describe('From now on; earlier runs keep their cost. null: the known price.'),
  capabilities: capabilities.partial().describe('Where it differs from what kind and model id say.'),
  position: z.int().min(0).max(POSITION_MAX).describe('Order in lists.'),
  isEnabled: z.boolean().describe('It can be chosen and asked.'),
  isForEveryone: z.boolean().describe('It is in everyone’s list.'),
  monthlyLimitUsd: z
    .number()
    .min(0)
    .max(LIMIT_MAX_USD)
    .nullable()
    .describe('Most of a month, UTC; null: no limit.'),
}

/** POST /api/admin/models */
export const createModelRequest = z.strictObject({
  alias: modelAlias.describe(
    'Alias of the model; it stays. Not `chain-…`, and no slug of a prompt or chain.',
  ),
  label: modelFields.label,
  providerId: modelFields.providerId,
  modelId: modelFields.modelId,
  contextTokens: modelFields.contextTokens.default(null),
  prices: modelFields.prices.default(null),
  capabilities: modelFields.capabilities.default({}),
  position: modelFields.position.optional().describe('Order in lists; absent: the last.'),
  isEnabled: modelFields.isEnabled.default(true),
  isForEveryone: modelFields.isForEveryone.default(true),
  monthlyLimitUsd: modelFields.monthlyLimitUsd.default(null),
})
export type CreateModelRequest = z.input<typeof createModelRequest>

/** PATCH /api/admin/models/{id}; label, provider and model id of the environment’s stay. */
export const updateModelRequest = z.strictObject({
  label: modelFields.label.optional(),
  providerId: modelFields.providerId.optional(),
  modelId: modelFields.modelId.optional(),
  contextTokens: modelFields.contextTokens.optional(),
  prices: modelFields.prices.optional(),
  capabilities: modelFields.capabilities.optional(),
  position: modelFields.position.optional(),
  isEnabled: modelFields.isEnabled.optional(),
  isForEveryone: modelFields.isForEveryone.optional(),
  monthlyLimitUsd: modelFields.monthlyLimitUsd.optional(),
})
export type UpdateModelRequest = z.infer<typeof updateModelRequest>

/** POST /api/admin/models/{model}/test: by id or by alias. */
export const modelTestParams = z.strictObject({
  model: z.union([idParam, modelAlias]).describe('Id or alias of the model.'),
})
export const modelTest = z.object({
  ok: z.boolean().describe('The model answered.'),
  ms: z.number().describe('How long it took.'),
  modelId: z.string().nullable().describe('Model named in the reply.'),
  error: z.string().nullable().describe('Why there was no answer.'),
  address: z.string().nullable().describe('Where it was asked; null: nowhere.'),
})
export type ModelTest = z.infer<typeof modelTest>

/** GET /api/admin/models/{id}/usage: what it cost, and how much asks for it. Of private records only how many there are. */
export const modelUse = z.object({
  monthUsd: z.number().describe('Cost of this month, UTC.'),
  totalUsd: z.number().describe('Cost of all answers that were counted.'),
  prompts: z.int().describe('Prompts that name it.'),
  steps: z.int().describe('Steps of chains that name it, also as a fallback.'),
  schedules: z.int().describe('Active schedules of chains whose steps name it.'),
  evaluations: z.int().describe('Evaluations under way that name it.'),
})
export type ModelUse = z.infer<typeof modelUse>

/** GET /api/admin/model-access: who may use what. Admins may use all. */
export const modelAccess = z.object({
  everyone: z.array(id).describe('Ids of the models in everyone’s list.'),
  people: z
    .array(
      z.object({
        userId: id,
        username: z.string().describe('Whose list it is.'),
        modelIds: z.array(id).describe('Ids of the models that they may use, in place of everyone’s.'),
      }),
    )
    .describe('People with a list of their own, by name.'),
})
export type ModelAccess = z.infer<typeof modelAccess>

/** PUT and DELETE /api/admin/model-access/{userId} */
export const modelAccessParams = z.strictObject({ userId: idParam.describe('Id of the person.') })
export const setModelAccessRequest = z.strictObject({
  modelIds: z.array(id).max(MODELS_MAX).describe('Ids of the models that they may use; none: no model.'),
})
export type SetModelAccessRequest = z.infer<typeof setModelAccessRequest>

function hasNoCredentials(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.username === '' && url.password === '' && url.hash === ''
}
