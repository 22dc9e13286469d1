import * as z from 'zod'
import { id, idParam, idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { nameText } from '../names.ts'
import { capabilities, modelAlias, modelStatus } from './models.ts'

export const MODELS_MAX = 200
export const MODEL_LISTS_MAX = 500
export const MODEL_LABEL_MAX = 40
const MODEL_ID_MAX = 200
const PRICE_MAX = 100_000
const CONTEXT_MAX = 100_000_000
const POSITION_MAX = 1_000_000
const LIMIT_MAX_USD = 1_000_000

const price = z.number().min(0).max(PRICE_MAX)
export const registeredPrice = z.strictObject({
  input: price.describe('Dollars per million tokens of input.'),
  output: price.describe('Dollars per million tokens of output.'),
  cached: price
    .nullable()
    .default(null)
    .describe('The same for cached input; null: the vendor’s usual rate.'),
})
export type RegisteredPrice = z.infer<typeof registeredPrice>

export const managedModel = modelStatus.extend({
  id,
  configured: z.boolean().describe('The model is set up.'),
  isFromEnvironment: z.boolean().describe('Alias, label, provider and model id are set by the environment.'),
  providerId: id.describe('Provider from GET /api/admin/providers.'),
  capabilities: capabilities.describe('What it can do besides answering in text.'),
  ownCapabilities: capabilities
    .partial()
    .describe('What was set here; the rest follows from the kind and model id.'),
  contextTokens: z.int().nullable().describe('Maximum number of input tokens; null: unknown.'),
  price: registeredPrice.nullable().describe('Current price, set here or built in; null: none.'),
  isOwnPrice: z.boolean().describe('The price was set here.'),
  position: z.int().describe('Order in lists.'),
  isEnabled: z.boolean().describe('It can be chosen and called.'),
  isForEveryone: z
    .boolean()
    .describe('It is in everyone’s list; otherwise only admins and people whose own list has it may use it.'),
  monthlyLimitUsd: z
    .number()
    .nullable()
    .describe('No more calls are made once this is spent in a month; null: no limit.'),
  spentUsd: z.number().describe('Cost this month (UTC).'),
  isJudge: z
    .boolean()
    .describe('It chooses for Best Chain: the one that `JUDGE_MODEL` names, or the first that is set up.'),
})
export type ManagedModel = z.infer<typeof managedModel>

const modelFields = {
  label: nameText('Label is required')
    .max(MODEL_LABEL_MAX, `A label can have at most ${MODEL_LABEL_MAX} characters`)
    .describe('Name shown in the app.'),
  providerId: id.describe('Provider from GET /api/admin/providers.'),
  modelId: z
    .string()
    .trim()
    .min(1, 'Model is required')
    .max(MODEL_ID_MAX)
    .regex(/^[\x21-\x7e]+$/, 'A model name has no spaces')
    .describe('The provider’s name for the model.'),
  contextTokens: z
    .int()
    .min(1)
    .max(CONTEXT_MAX)
    .nullable()
    .describe('Maximum number of input tokens; null: unknown.'),
  prices: registeredPrice
    .nullable()
    .describe('Applies from now on; earlier runs keep their cost. null: the built-in price.'),
  capabilities: capabilities.partial().describe('Only what differs from what the kind and model id imply.'),
  position: z.int().min(0).max(POSITION_MAX).describe('Order in lists.'),
  isEnabled: z.boolean().describe('It can be chosen and called.'),
  isForEveryone: z.boolean().describe('It is in everyone’s list.'),
  monthlyLimitUsd: z
    .number()
    .min(0)
    .max(LIMIT_MAX_USD)
    .nullable()
    .describe('Limit per month (UTC); null: no limit.'),
}

export const createModelRequest = z.strictObject({
  alias: modelAlias.describe(
    'Alias of the model; can’t be changed later. Not `chain-…`, nor the slug of a prompt or chain.',
  ),
  label: modelFields.label,
  providerId: modelFields.providerId,
  modelId: modelFields.modelId,
  contextTokens: modelFields.contextTokens.default(null),
  prices: modelFields.prices.default(null),
  capabilities: modelFields.capabilities.default({}),
  position: modelFields.position.optional().describe('Order in lists; absent: last.'),
  isEnabled: modelFields.isEnabled.default(true),
  isForEveryone: modelFields.isForEveryone.default(true),
  monthlyLimitUsd: modelFields.monthlyLimitUsd.default(null),
})
export type CreateModelRequest = z.input<typeof createModelRequest>

/** Of a model of the environment, label, provider and model id stay. */
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

export const modelTest = z.object({
  ok: z.boolean().describe('The model answered.'),
  ms: z.number().describe('How long it took.'),
  modelId: z.string().nullable().describe('Model named in the reply.'),
  error: z.string().nullable().describe('Why there was no answer.'),
  address: z.string().nullable().describe('Address that was called; null: none.'),
})
export type ModelTest = z.infer<typeof modelTest>

export const modelUse = z.object({
  monthUsd: z.number().describe('Cost this month (UTC).'),
  totalUsd: z.number().describe('Total cost of all counted answers.'),
  prompts: z.int().describe('Prompts that use it.'),
  steps: z.int().describe('Steps of chains that use it, including as a fallback.'),
  schedules: z.int().describe('Active schedules of chains whose steps use it.'),
  evaluations: z.int().describe('Running evaluations that use it.'),
})
export type ModelUse = z.infer<typeof modelUse>

export const modelAccess = z.object({
  everyone: z.array(id).describe('Ids of the models in everyone’s list.'),
  people: z
    .array(
      z.object({
        userId: id,
        username: z.string().describe('Whose list it is.'),
        modelIds: z.array(id).describe('Ids of the models that they may use, instead of everyone’s list.'),
      }),
    )
    .describe('People with their own list, by name.'),
  groups: z
    .array(
      z.object({
        groupId: id,
        name: z.string().describe('Name of the group.'),
        modelIds: z
          .array(id)
          .describe(
            'Ids of the models that its members may use in addition to everyone’s, unless they have their own list.',
          ),
      }),
    )
    .describe('Groups with a list, by name.'),
})
export type ModelAccess = z.infer<typeof modelAccess>

const modelAccessParams = z.strictObject({ userId: idParam.describe('Id of the person.') })
const setModelAccessRequest = z.strictObject({
  modelIds: z.array(id).max(MODELS_MAX).describe('Ids of the models that they may use; none: no model.'),
})
export type SetModelAccessRequest = z.infer<typeof setModelAccessRequest>

export const modelsApi = defineApi('models', {
  'GET /api/models': {
    who: 'guest',
    summary: 'The models that the caller may use, in order',
    reply: z.array(modelStatus),
  },
  'GET /api/admin/models': {
    who: 'admin',
    summary: 'All models, in order',
    description:
      'Those set by the environment come first unless another order was set. Keys are never shown.',
    reply: z.array(managedModel),
    errors: [401, 403],
  },
  'POST /api/admin/models': {
    who: 'admin',
    summary: 'Add a model',
    body: createModelRequest,
    created: managedModel,
    errors: [401, 403, 409],
    activity: { kind: 'model.added', object: 'model' },
  },
  'PATCH /api/admin/models/{id}': {
    who: 'admin',
    summary: 'Change a model',
    description: 'A new price applies from now on; earlier runs keep their cost.',
    params: idParams,
    body: updateModelRequest,
    reply: managedModel,
    errors: [401, 403, 404],
    activity: { kind: 'model.changed', object: 'model' },
  },
  'DELETE /api/admin/models/{id}': {
    who: 'admin',
    summary: 'Remove a model',
    description: 'Past runs keep its name. Anything that still uses it fails with a message.',
    params: idParams,
    errors: [401, 403, 404, 409],
    activity: { kind: 'model.removed', object: 'model' },
  },
  'GET /api/admin/models/{id}/usage': {
    who: 'admin',
    summary: 'What a model cost, and what uses it',
    params: idParams,
    reply: modelUse,
    errors: [401, 403, 404],
  },
  'POST /api/admin/models/{model}/test': {
    who: 'admin',
    summary: 'Test a model with one short call',
    description: 'A failed call is a result with the reason.',
    params: z.strictObject({
      model: z.union([idParam, modelAlias]).describe('Id or alias of the model.'),
    }),
    body: z.strictObject({}).nullish(),
    reply: modelTest,
    errors: [401, 403, 404],
    activity: { none: 'It asks a model and changes nothing.' },
  },
  'GET /api/admin/model-access': {
    who: 'admin',
    summary: 'Who may use which models',
    reply: modelAccess,
    errors: [401, 403],
  },
  'PUT /api/admin/model-access/{userId}': {
    who: 'admin',
    summary: 'Give a person their own list of models',
    params: modelAccessParams,
    body: setModelAccessRequest,
    reply: modelAccess,
    errors: [401, 403, 404],
    activity: { kind: 'model.list_changed', object: 'account' },
  },
  'DELETE /api/admin/model-access/{userId}': {
    who: 'admin',
    summary: 'Remove a person’s own list of models',
    params: modelAccessParams,
    errors: [401, 403, 404],
    activity: { kind: 'model.list_changed', object: 'account' },
  },
  'PUT /api/admin/groups/{id}/models': {
    who: 'admin',
    summary: 'Give the members of a group more models',
    description: 'In addition to everyone’s list. A person’s own list replaces both.',
    params: idParams,
    body: setModelAccessRequest,
    reply: modelAccess,
    errors: [401, 403, 404],
    activity: { kind: 'model.list_changed', object: 'group' },
  },
  'DELETE /api/admin/groups/{id}/models': {
    who: 'admin',
    summary: 'Remove a group’s list of models',
    params: idParams,
    errors: [401, 403, 404],
    activity: { kind: 'model.list_changed', object: 'group' },
  },
})
