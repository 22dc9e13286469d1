import type { PromptSettings } from '@catenary/contracts'
import { type Fields, isFields } from '../promptfoo/draft.ts'
import { isEmpty, namedOf, type Report, textOf, within } from './draft.ts'
import { readSettings, reportOthers, SETTING_NAMES } from './settings.ts'

interface Place {
  at: string
  report: Report
}

/** How a vendor is reached is not for a report that is kept: names only. */
const ACCESS = 'apiKey apiKeyEnvar apiBaseUrl apiHost headers organization env token basePath cost'.split(' ')

/** What the first provider says of how a prompt is run; the others are chosen when an evaluation starts. */
export function readProvider(root: Fields, report: Report): PromptSettings {
  const name = 'providers' in root ? 'providers' : 'targets'
  if (name === 'providers' && !isEmpty(root.targets))
    report.lose('targets', 'providers is used here; targets is kept as a note', root.targets)
  const given = root[name]
  const list = Array.isArray(given) ? given : isEmpty(given) ? [] : [given]
  const [first, ...others] = list
  if (others.length > 0) {
    report.lose(
      name,
      'The first provider is the prompt’s model; the others are chosen when an evaluation starts',
      others.map(withoutAccess),
    )
  }
  if (first === undefined) return {}
  const at = Array.isArray(given) ? `${name}[0]` : name
  if (typeof first === 'string') return readModel(first, { at, report })
  if (isFields(first)) return readFields(first, { at, report })
  report.lose(at, 'It is kept as a note', first)
  return {}
}

/** `{id, config}`, or the id as the name of the rest: `openai:gpt-4o: {config}`. */
function readFields(given: Fields, { at, report }: Place): PromptSettings {
  const named = textOf(given.id)
  const [key, inner] = named === undefined ? (Object.entries(given)[0] ?? []) : []
  const isMap = named === undefined && key !== undefined && isFields(inner)
  const fields: Fields = isMap ? inner : given
  const place = { at: isMap ? within(at, key) : at, report }
  if (isMap) {
    const { [key]: _, ...beside } = given
    reportOthers(beside, { at, report, known: [] })
  }
  const id = named ?? textOf(fields.id) ?? key
  const { id: inId, config, env, ...others } = fields
  if (!isEmpty(inId) && textOf(inId) === undefined)
    report.lose(within(place.at, 'id'), 'It is not text, so it is kept as a note', inId)
  reportOthers(others, { ...place, known: [] })
  if (!isEmpty(env)) reportAccess({ env }, place)
  const settings = readConfig(config, { at: within(place.at, 'config'), report })
  const { model } = id === undefined ? {} : readModel(id, place)
  if (model !== undefined && settings.model !== undefined && settings.model !== model)
    report.lose(
      within(place.at, 'config.model'),
      `${model} is used here; this is kept as a note`,
      settings.model,
    )
  return { ...settings, ...(model !== undefined && { model }) }
}

export function readConfig(config: unknown, place: Place): PromptSettings {
  if (!isFields(config)) {
    if (!isEmpty(config)) place.report.lose(place.at, 'It is kept as a note', config)
    return {}
  }
  const asked = Object.fromEntries(Object.entries(config).filter(([name]) => !ACCESS.includes(name)))
  reportAccess(Object.fromEntries(ACCESS.map((name) => [name, config[name]])), place)
  reportOthers(asked, { ...place, known: SETTING_NAMES })
  if (isFields(asked.text))
    reportOthers(asked.text, { at: within(place.at, 'text'), report: place.report, known: ['format'] })
  return readSettings(asked, place)
}

function reportAccess(access: Fields, { at, report }: Place): void {
  const names = Object.entries(access).flatMap(([name, value]) => {
    if (isEmpty(value)) return []
    return isFields(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name]
  })
  if (names.length > 0) report.lose(at, `How the model is reached is not imported: ${namedOf(names)}`)
}

function withoutAccess(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAccess)
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([name]) => !ACCESS.includes(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutAccess(each)]))
}

/** Vendors whose providers are `vendor:model` or `vendor:kind:model`. */
const VENDORS =
  `openai azure azureopenai anthropic google vertex palm bedrock mistral groq ollama openrouter togetherai
  together xai deepseek cohere huggingface replicate github fireworks perplexity cerebras databricks litellm localai
  nscale novita aimlapi hyperbolic ai21 alibaba cloudflare-ai cloudflare-gateway lambdalabs voyage watsonx
  sagemaker llamaapi lmstudio vllm`.split(/\s+/)
const KINDS =
  `chat completion completions messages responses text text-generation chat-completion realtime nova nova-sonic
  converse llama llama2 gemini claude vision`.split(/\s+/)
/** No model answers there, but a program, a file or an address. */
const NO_MODEL =
  /^(file|https?|wss?|ws|websocket|python|javascript|golang|ruby|exec|package|webhook|mcp|echo|browser|sequence|promptfoo|manual-input|agent|assistant)\b/

/** `openai:chat:gpt-4o` is gpt-4o; `bedrock:us.anthropic.claude-x-v2:0` is all of what follows the vendor. */
function readModel(id: string, { at, report }: Place): PromptSettings {
  const [vendor = '', ...rest] = id.trim().split(':')
  const isKind = rest.length > 1 && KINDS.includes(rest[0] ?? '')
  const isBare = rest.length === 0 && /^[A-Za-z][\w.-]*$/.test(vendor)
  const isNone =
    NO_MODEL.test(id.trim()) ||
    /^(assistant|embedding|embeddings|moderation|image|agents|transcription|speech|video)$/.test(
      rest[0] ?? '',
    )
  const model = VENDORS.includes(vendor.toLowerCase())
    ? rest.slice(isKind ? 1 : 0).join(':')
    : isBare
      ? vendor
      : ''
  if (!isNone && model !== '' && !KINDS.includes(model)) return { model }
  report.lose(at, `${id.trim().slice(0, 80)} does not name a model: the prompt uses the chosen one`, id)
  return {}
}
