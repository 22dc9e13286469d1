import * as z from 'zod'
import { GatewayError } from '../gateway-error.ts'
import { parseBody } from './read-request.ts'

export interface ListedModel {
  id: string
  name: string
  createdAt: Date
  limits: ModelLimits
}

/** In tokens, the smallest of what its steps' models take and write; null: not known of any. */
export interface ModelLimits {
  input: number | null
  output: number | null
}

const PAGE = 20
const PAGE_MAX = 1_000
const pageQuery = z.looseObject({
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
})

/** OpenAI's own list has no limits; these are the names that its documents and those who speak its API use. */
const openaiModel = ({ id, createdAt, limits: { input, output } }: ListedModel) => ({
  id,
  object: 'model',
  created: Math.floor(createdAt.getTime() / 1_000),
  owned_by: 'catenary',
  ...(input !== null && { context_window: input }),
  ...(output !== null && { max_output_tokens: output }),
})

const anthropicModel = ({ id, name, createdAt, limits: { input, output } }: ListedModel) => ({
  type: 'model',
  id,
  display_name: name,
  created_at: createdAt.toISOString(),
  max_input_tokens: input,
  max_tokens: output,
})

export function modelList({
  models,
  query,
  isAnthropic,
}: {
  models: ListedModel[]
  query: unknown
  isAnthropic: boolean
}): object {
  if (!isAnthropic) return { object: 'list', data: models.map(openaiModel) }
  const { limit, after_id: after, before_id: before } = parseBody(pageQuery, query)
  const placeOf = (id: string) => {
    const index = models.findIndex((one) => one.id === id)
    if (index === -1) throw new GatewayError('invalid', `There is no model ${id}`)
    return index
  }
  const rest = after === undefined ? models : models.slice(placeOf(after) + 1)
  const earlier = before === undefined ? undefined : models.slice(0, placeOf(before))
  const page = earlier === undefined ? rest.slice(0, limit) : earlier.slice(-limit)
  return {
    data: page.map(anthropicModel),
    has_more: (earlier ?? rest).length > page.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

export function modelReply({ model, isAnthropic }: { model: ListedModel; isAnthropic: boolean }): object {
  return isAnthropic ? anthropicModel(model) : openaiModel(model)
}
