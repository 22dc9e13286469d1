import { allowsValue, slug, type Turn } from '@catenary/contracts'
import { extractVariables, renderTemplate, TemplateTooLongError } from '@catenary/domain'
import pMap from 'p-map'
import { AppError } from '../../errors.ts'
import type { Grant } from '../tokens/tokens.ts'
import { choosePromptVersion, reachOf } from './choose-version.ts'
import type { McpCall, McpDeps } from './mcp-deps.ts'
import {
  findOptionalReachedPrompt,
  listReachedPrompts,
  type ReachedKind,
  type ReachedPrompt,
} from './mcp-reach.repository.ts'
import { namesIn, turnsOf } from './prompt-texts.ts'
import { quoteText, toLine } from './quote-text.ts'

const PAGE = 50
const AT_ONCE = 4
/** Characters that a client is told of a prompt beside its name. */
const TITLE_MAX = 100
const BEGINNING_MAX = 200
const CHOICES_MAX = 300
/** In UTF-16 units, of all texts together. */
const TEXT_MAX = 2_000_000
const COMPLETIONS_MAX = 100
const CLAUDE_CODE = /^claude[ -]?code\b/i
const CUT_ARGUMENTS =
  'Claude Code cuts the arguments of this command at spaces, so that a value above may be only one word of it. ' +
  'The full words stand in what the person typed after the command.'

export interface PromptArgument {
  name: string
  description?: string
  required: boolean
}

export interface DescribedPrompt {
  name: string
  title: string
  description: string
  arguments: PromptArgument[]
}

interface WantedPrompt {
  name: string
  values: Record<string, string>
  label?: string | undefined
}

export interface GivenPrompt {
  description: string
  messages: Turn[]
}

export type McpPrompts = ReturnType<typeof createMcpPrompts>

/** The prompts of a token, as clients list and take them. */
export function createMcpPrompts({ db, findPrompt, fetches, variables }: McpDeps) {
  /** The version that the token serves; undefined for what it does not serve. */
  async function openVersion(grant: Grant, { prompt, label }: { prompt: ReachedPrompt; label?: string | undefined }) {
    const choice = choosePromptVersion(grant, { has: prompt.labels, asked: label })
    if (choice === null) return undefined
    const wanted = { grant: { user: grant.user, promptIds: [prompt.id] }, name: `${prompt.id}`, choice }
    return findPrompt(wanted).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    })
  }

  /** What nobody has a value for, and what may be one of a few values. */
  async function argumentsOf(grant: Grant, turns: Turn[]): Promise<PromptArgument[]> {
    const names = namesIn(turns)
    const known = await variables.describe({ names, user: grant.user })
    return names.flatMap((name): PromptArgument[] => {
      const { hasValue = false, allowedValues = [] } = known.get(name) ?? {}
      if (hasValue && allowedValues.length === 0) return []
      const choices = toLine(allowedValues.join(', '), CHOICES_MAX)
      return [{ name, ...(choices !== '' && { description: `One of: ${choices}` }), required: !hasValue }]
    })
  }

  async function describe(grant: Grant, prompt: ReachedPrompt): Promise<DescribedPrompt[]> {
    const named = await openVersion(grant, { prompt })
    if (named === undefined) return []
    const { version, label } = named
    const turns = turnsOf(version)
    const shown = label === null ? '' : ` (${label})`
    const text = prompt.description ?? version.content
    return [
      {
        name: prompt.slug,
        title: toLine(version.title, TITLE_MAX),
        description: `Version ${version.number}${shown} of a prompt by ${toLine(prompt.owner, TITLE_MAX)}: ${quoteText(text, BEGINNING_MAX)}`,
        arguments: await argumentsOf(grant, turns),
      },
    ]
  }

  async function find(grant: Grant, { name, kind }: { name: string; kind: ReachedKind }) {
    const wanted = slug.safeParse(name)
    const found = wanted.success
      ? await findOptionalReachedPrompt(db, { reach: reachOf(grant), kind, slug: wanted.data })
      : undefined
    if (found === undefined) throw promptNotFound(name)
    return found
  }

  /** What stands for each name of the texts; throws `invalid` where something is missing, as nobody is there to ask. */
  async function fill(call: McpCall, { turns, given }: { turns: Turn[]; given: Record<string, string> }) {
    const names = [...new Set(turns.flatMap(({ content }) => extractVariables(content)))]
    const values = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
    const { user } = call.grant
    const known = await variables.describe({ names, user })
    requireKnown({ names, values })
    for (const name of names) {
      const value = values.get(name.toLowerCase())
      const { allowedValues = [] } = known.get(name) ?? {}
      if (value !== undefined && !allowsValue(allowedValues, value)) {
        throw new AppError('invalid', `${name}: choose one of ${toLine(allowedValues.join(', '), CHOICES_MAX)}`)
      }
    }
    const asked = names.filter((name) => !values.has(name.toLowerCase()))
    const stored = await variables.resolve({ names: asked, user, signal: call.signal })
    const filled = new Map<string, string>()
    for (const name of names) {
      const value = values.get(name.toLowerCase()) ?? stored.get(name)?.value
      const { hasValue = false } = known.get(name) ?? {}
      const isGiven = values.has(name.toLowerCase())
      if (value !== undefined && value !== null && (isGiven || hasValue)) filled.set(name, value)
    }
    const missing = names.filter((name) => !filled.has(name))
    if (missing.length > 0) throw new AppError('invalid', `Give a value for: ${missing.slice(0, 20).join(', ')}`)
    return filled
  }

  async function give(call: McpCall, { kind, ...wanted }: WantedPrompt & { kind: ReachedKind }): Promise<GivenPrompt> {
    const { grant, client } = call
    const prompt = await find(grant, { name: wanted.name, kind })
    const named = await openVersion(grant, { prompt, label: wanted.label })
    if (named === undefined) throw promptNotFound(wanted.name)
    const { version, label } = named
    const turns = turnsOf(version)
    const values = await fill(call, { turns, given: wanted.values })
    const messages = render(turns, values)
    const given = Object.keys(wanted.values).length > 0
    if (given && CLAUDE_CODE.test(client)) messages.push({ role: 'user', content: CUT_ARGUMENTS })
    const what = prompt.description === null ? 'prompt' : 'skill'
    fetches.add({ grant, promptId: prompt.id, kind: what, version: version.number, label, client })
    return { description: toLine(version.title, TITLE_MAX), messages }
  }

  return {
    /** By name, after one; skills are apart. */
    async list({ grant }: Pick<McpCall, 'grant'>, after?: string) {
      const rows = await listReachedPrompts(db, { reach: reachOf(grant), kind: 'prompt', after, limit: PAGE + 1 })
      const page = rows.slice(0, PAGE)
      const described = await pMap(page, (prompt) => describe(grant, prompt), { concurrency: AT_ONCE })
      return { prompts: described.flat(), next: rows.length > PAGE ? page.at(-1)?.slug : undefined }
    },

    /** Skills too, for clients that know no skills. */
    async search({ grant }: McpCall, { query, limit }: { query: string; limit: number }) {
      const search = query === '' ? undefined : query
      const rows = await listReachedPrompts(db, { reach: reachOf(grant), kind: 'any', search, limit })
      const described = await pMap(rows, (prompt) => describe(grant, prompt), { concurrency: AT_ONCE })
      return described.flat()
    },

    /** As a client's own prompt. Throws `not_found`, and `invalid` where a value is missing. */
    give: (call: McpCall, wanted: WantedPrompt) => give(call, { ...wanted, kind: 'prompt' }),

    /** By the tool, a skill's text too. */
    giveAny: (call: McpCall, wanted: WantedPrompt) => give(call, { ...wanted, kind: 'any' }),

    /** Allowed values of an argument that begin so. */
    async complete({ grant }: McpCall, { name, argument, begun }: { name: string; argument: string; begun: string }) {
      const prompt = await find(grant, { name, kind: 'prompt' })
      const named = await openVersion(grant, { prompt })
      if (named === undefined) throw promptNotFound(name)
      const isMeant = (one: string) => one.toLowerCase() === argument.toLowerCase()
      const meant = namesIn(turnsOf(named.version)).find(isMeant)
      if (meant === undefined) return []
      const known = await variables.describe({ names: [meant], user: grant.user })
      const { allowedValues = [] } = known.get(meant) ?? {}
      const fits = (value: string) => value.toLowerCase().startsWith(begun.toLowerCase())
      return allowedValues.filter(fits).slice(0, COMPLETIONS_MAX)
    },
  }
}

function requireKnown({ names, values }: { names: string[]; values: Map<string, string> }): void {
  const known = new Set(names.map((name) => name.toLowerCase()))
  const unknown = [...values.keys()].filter((name) => !known.has(name)).map((name) => toLine(name, TITLE_MAX))
  if (unknown.length > 0) {
    throw new AppError('invalid', `The prompt has no argument ${unknown.slice(0, 5).join(', ')}`)
  }
}

function render(turns: Turn[], values: Map<string, string>): Turn[] {
  let room = TEXT_MAX
  return turns.map(({ role, content }) => {
    try {
      const { text } = renderTemplate({ source: content, variables: values, maxLength: room })
      room -= text.length
      return { role, content: text }
    } catch (error) {
      if (error instanceof TemplateTooLongError) throw new AppError('too_large', error.message)
      throw error
    }
  })
}

function promptNotFound(name: string): AppError {
  return new AppError('not_found', `This token reaches no prompt ${quoteText(name, TITLE_MAX)}.`)
}
