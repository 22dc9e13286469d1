import {
  CAPABILITIES,
  type Capability,
  type ManagedModel,
  type ModelProvider,
  type ModelUse,
  type RegisteredPrice,
} from '@catenary/contracts'
import { formatUsd, usdToNanos } from '@catenary/domain'
import { errorReason } from '../../../lib/errors.ts'

const SECOND_MS = 1000
const THOUSAND = 1000
const MILLION = 1_000_000

/** What nearly every model takes is worth a word only where one doesn't. */
const UNTOLD: readonly Capability[] = ['temperature', 'stop']
/** How an answer is read is nothing that a model can do. */
const NO_ABILITY: Capability = 'stripsThinking'

/** `text, images, JSON schema`. */
export function capabilitiesText({ capabilities }: Pick<ManagedModel, 'capabilities'>): string {
  const told = (Object.keys(CAPABILITIES) as Capability[]).filter((one) => one !== NO_ABILITY)
  const can = told.filter((one) => capabilities[one] && !UNTOLD.includes(one))
  const lacks = UNTOLD.filter((one) => !capabilities[one])
  return [
    'text',
    ...can.map((one) => CAPABILITIES[one].word),
    ...lacks.map((one) => `no ${CAPABILITIES[one].word}`),
  ].join(', ')
}

/** `1 M`, `200 k`; null is `unknown`. */
export function contextText(tokens: number | null): string {
  if (tokens === null) return 'unknown'
  if (tokens >= MILLION) return `${round(tokens / MILLION)} M`
  return tokens >= THOUSAND ? `${round(tokens / THOUSAND)} k` : String(tokens)
}

/** `$3.00 / $15.00`, for a million tokens in and out. */
export function priceText(price: RegisteredPrice | null): string {
  return price === null ? 'no price set' : `${dollars(price.input)} / ${dollars(price.output)}`
}

/** `412 ms`, `1.9 s`. */
export function timeText(ms: number): string {
  return ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`
}

/** `$0`, `$0.0027`. */
export const costText = (usd: number): string => (usd === 0 ? '$0' : formatUsd(usdToNanos(usd)))

/** What a model cost, and what asks for it, as sentences, also while that is being read or could not be. */
export function sentencesOfUse({
  data,
  error,
}: {
  data?: ModelUse | undefined
  error?: unknown
} = {}): string {
  if (data) return sentencesOfKnownUse(data)
  return error ? `Couldn’t find out what uses it: ${errorReason(error)}` : 'Looking for what uses it…'
}

function sentencesOfKnownUse(use: ModelUse): string {
  const { monthUsd, totalUsd, prompts, steps, schedules, evaluations } = use
  const cost =
    totalUsd === 0
      ? 'It has cost nothing so far.'
      : `It cost ${costText(monthUsd)} this month and ${costText(totalUsd)} in total.`
  const asking = [
    counted(prompts, 'prompt'),
    counted(steps, 'step of chains', 'steps of chains'),
    counted(schedules, 'schedule'),
    counted(evaluations, 'running evaluation', 'running evaluations'),
  ].flatMap((text) => text ?? [])
  if (asking.length === 0) return `${cost} Nothing uses it.`
  const isOne = prompts + steps + schedules + evaluations === 1
  return `${cost} ${new Intl.ListFormat('en').format(asking)} ${isOne ? 'uses' : 'use'} it.`
}

export function modelsOf(models: readonly ManagedModel[], { id }: Pick<ModelProvider, 'id'>): ManagedModel[] {
  return models.filter(({ providerId }) => providerId === id)
}

/** What has to be sent so that a model stands one place up or down among all. */
export function reordered({
  models,
  id,
  by,
}: {
  models: readonly ManagedModel[]
  id: number
  by: -1 | 1
}): { id: number; position: number }[] {
  const order = [...models]
  const from = order.findIndex((model) => model.id === id)
  const [moved] = order.splice(from, 1)
  if (moved === undefined) return []
  order.splice(Math.max(0, from + by), 0, moved)
  return order.flatMap((model, position) => (model.position === position ? [] : { id: model.id, position }))
}

const round = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 })

/** Small prices keep the digits that they have. */
function dollars(amount: number): string {
  return `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`
}

function counted(count: number, singular: string, plural = `${singular}s`): string | null {
  return count === 0 ? null : `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}
