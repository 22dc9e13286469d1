import { MAX_TOKENS_MAX, type PromptSettings, STOP_LENGTH_MAX, STOP_MAX } from '@catenary/contracts'
import { checkSchema } from '../answer-schema/index.ts'
import { type Fields, isFields } from '../promptfoo/draft.ts'
import { clipName, isEmpty, namedOf, pick, type Report, textOf, textsOf, within } from './draft.ts'

export interface Place {
  at: string
  report: Report
}

const TEMPERATURE = ['temperature']
const MAX_TOKENS = [
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
  'maxOutputTokens',
  'maxTokens',
]
const STOP = ['stop', 'stop_sequences', 'stopSequences']
const EFFORT = ['reasoning_effort', 'effort']
const FORMAT = ['response_format', 'responseFormat']
export const SETTING_NAMES = [
  'model',
  'reasoning',
  ...TEMPERATURE,
  ...MAX_TOKENS,
  ...STOP,
  ...EFFORT,
  ...FORMAT,
]

export function readSettings(fields: Fields, place: Place): PromptSettings {
  return {
    ...modelOf(fields, place),
    ...effortOf(fields, place),
    ...temperatureOf(fields, place),
    ...maxTokensOf(fields, place),
    ...stopOf(fields, place),
    ...outputOf(fields, place),
  }
}

function modelOf({ model }: Fields, { at, report }: Place): PromptSettings {
  const name = textOf(model)
  if (name !== undefined) return { model: name }
  if (!isEmpty(model))
    report.lose(within(at, 'model'), 'It is not a model name, so it is kept as a note', model)
  return {}
}

const EFFORTS: Record<string, PromptSettings['effort']> = {
  none: 'none',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

function effortOf(fields: Fields, { at, report }: Place): PromptSettings {
  const { reasoning } = fields
  const own = pick(fields, EFFORT, { at, report })
  const isInner = isFields(reasoning) && !isEmpty(reasoning.effort)
  const asked = isInner ? reasoning.effort : own?.value
  const where = within(at, isInner ? 'reasoning.effort' : (own?.name ?? 'effort'))
  if (isInner && own !== undefined && own.value !== asked)
    report.lose(
      within(at, own.name),
      `reasoning.effort is used here; ${own.name} is kept as a note`,
      own.value,
    )
  if (isFields(reasoning)) {
    for (const [name, value] of Object.entries(reasoning)) {
      if (name === 'effort' || isEmpty(value)) continue
      report.lose(within(at, `reasoning.${name}`), `${name} of the reasoning is kept as a note`, value)
    }
  } else if (!isEmpty(reasoning)) report.lose(within(at, 'reasoning'), 'It is kept as a note', reasoning)
  if (isEmpty(asked)) return {}
  const effort = Object.hasOwn(EFFORTS, String(asked)) ? EFFORTS[String(asked)] : undefined
  if (effort === undefined) report.lose(where, 'There is no such effort here, so it is kept as a note', asked)
  else if (effort !== asked)
    report.lose(where, `The effort ${String(asked)} becomes ${effort}, the nearest here`, asked)
  return effort === undefined ? {} : { effort }
}

function temperatureOf(fields: Fields, place: Place): PromptSettings {
  const value = numberOf(fields, TEMPERATURE, place, (number) => number >= 0 && number <= 2)
  return value === undefined ? {} : { temperature: value }
}

function maxTokensOf(fields: Fields, place: Place): PromptSettings {
  const isLength = (number: number) => Number.isInteger(number) && number >= 1 && number <= MAX_TOKENS_MAX
  const value = numberOf(fields, MAX_TOKENS, place, isLength)
  return value === undefined ? {} : { maxTokens: value }
}

function numberOf(
  fields: Fields,
  names: readonly string[],
  { at, report }: Place,
  isTaken: (number: number) => boolean,
): number | undefined {
  const found = pick(fields, names, { at, report })
  if (found === undefined) return undefined
  const { name, value } = found
  if (typeof value === 'number' && isTaken(value)) return value
  report.lose(within(at, name), `It is not supported here, so it is kept as a note`, value)
  return undefined
}

function stopOf(fields: Fields, { at, report }: Place): PromptSettings {
  const found = pick(fields, STOP, { at, report })
  if (found === undefined) return {}
  const { name, value: given } = found
  const texts = (Array.isArray(given) ? given : [given]).filter(
    (each): each is string => typeof each === 'string' && each.length >= 1 && each.length <= STOP_LENGTH_MAX,
  )
  const stop = texts.slice(0, STOP_MAX)
  const all = Array.isArray(given) ? given.length : 1
  if (stop.length < all) {
    report.lose(
      within(at, name),
      `${stop.length} of ${all} stop texts are imported: at most ${STOP_MAX}, of ${STOP_LENGTH_MAX} characters`,
      given,
    )
  }
  return stop.length === 0 ? {} : { stop }
}

/** `text.format` of a response, and `response_format` of a chat. */
function outputOf(fields: Fields, { at, report }: Place): PromptSettings {
  const chat = pick(fields, FORMAT, { at, report })
  const isInner = isFields(fields.text) && !isEmpty(fields.text.format)
  const format = isInner ? (fields.text as Fields).format : chat?.value
  const where = within(at, isInner ? 'text.format' : (chat?.name ?? 'response_format'))
  if (isInner && chat !== undefined)
    report.lose(within(at, chat.name), `text.format is used here; ${chat.name} is kept as a note`, chat.value)
  if (isEmpty(format)) return {}
  if (!isFields(format)) {
    if (format !== 'text') report.lose(where, 'It is kept as a note', format)
    return {}
  }
  if (format.type === 'text') return {}
  const { json_schema: inner } = format
  const schema = isFields(inner) ? inner.schema : format.schema
  if (format.type !== 'json_schema' || !isFields(schema)) {
    const reason = 'JSON without a schema can’t be requested here, so this is kept as a note'
    report.lose(where, reason, format)
    return {}
  }
  const { type: _, json_schema: _inner, schema: _schema, ...beside } = format
  reportOthers(beside, { at: where, report, known: [], usual: USUAL_FORMAT })
  if (isFields(inner))
    reportOthers(inner, { at: within(where, 'json_schema'), report, known: ['schema'], usual: USUAL_FORMAT })
  return toOutput(schema, { at: where, report })
}

const USUAL_FORMAT = { strict: true, name: 'answer' }

/** The schema for answers, if it is one that every vendor takes (ADR 035). */
export function toOutput(schema: Fields, { at, report }: Place): PromptSettings {
  const [problem] = checkSchema(schema).problems
  if (problem === undefined) return { output: { type: 'json', schema } }
  const place = problem.path === '' ? '' : `${problem.path}: `
  report.lose(at, `The schema of the answer is kept as a note. ${place}${problem.message}`, schema)
  return {}
}

export function setAside(fields: Fields, names: readonly string[], owner: string, report: Report): void {
  report.setAside(
    owner,
    names.filter((name) => !isEmpty(fields[name])),
  )
}

export function reportOthers(
  fields: Fields,
  {
    at,
    report,
    known,
    usual = {},
  }: Place & { known: readonly string[]; usual?: Readonly<Record<string, unknown>> },
): void {
  for (const [name, value] of Object.entries(fields)) {
    if (known.includes(name) || isEmpty(value)) continue
    if (Object.hasOwn(usual, name) && usual[name] === value) continue
    report.lose(within(at, name), reasonOf(name, value), value)
  }
}

function reasonOf(name: string, value: unknown): string {
  if (name !== 'tools') return `${clipName(name)} is kept as a note`
  const names = (Array.isArray(value) ? value : [value]).flatMap((tool) => {
    if (!isFields(tool)) return textsOf(tool)
    const inner = isFields(tool.function) ? tool.function.name : undefined
    return textsOf(tool.name ?? inner ?? tool.type)
  })
  return `Tools are kept as a note, not run: ${namedOf(names) || 'unnamed'}`
}
