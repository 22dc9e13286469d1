import { type Turn, tidyName } from '@catenary/contracts'
import pMap from 'p-map'
import { AppError } from '../../errors.ts'
import { addFetch, type Grant } from '../tokens/tokens.ts'
import { reachOf } from './choose-version.ts'
import { createDescribedPrompts, TITLE_MAX } from './described-prompts.service.ts'
import { fillPrompt } from './fill-prompt.ts'
import type { McpCall, McpDeps } from './mcp-deps.ts'
import {
  type After,
  findOptionalReachedPrompt,
  listReachedPrompts,
  type ReachedKind,
} from './mcp-reach.repository.ts'
import { namesIn, turnsOf } from './prompt-texts.ts'
import { quoteText, toLine } from './quote-text.ts'

const PAGE = 50
const AT_ONCE = 4
const COMPLETIONS_MAX = 100
const CLAUDE_CODE = /^claude[ -]?code\b/i
const CUT_ARGUMENTS =
  'Claude Code cuts the arguments of this command at spaces, so that a value above may be only one word of it. ' +
  'The full words stand in what the person typed after the command.'

interface WantedPrompt {
  name: string
  values: Record<string, string>
  label?: string | undefined
}

interface GivenPrompt {
  description: string
  messages: Turn[]
}

export type McpPrompts = ReturnType<typeof createMcpPrompts>

/** The prompts of a token, as clients list and take them. */
export function createMcpPrompts({ ctx, db, variables }: McpDeps) {
  const { openVersion, consentFor, describe } = createDescribedPrompts({ ctx, variables })

  async function find(grant: Grant, { name, kind }: { name: string; kind: ReachedKind }) {
    const found = await findOptionalReachedPrompt(db, { reach: reachOf(grant), kind, name: tidyName(name) })
    if (found === undefined) throw promptNotFound(name)
    return found
  }

  async function give(
    call: McpCall,
    { kind, ...wanted }: WantedPrompt & { kind: ReachedKind },
  ): Promise<GivenPrompt> {
    const { grant, client } = call
    const prompt = await find(grant, { name: wanted.name, kind })
    const named = await openVersion(grant, { prompt, label: wanted.label })
    if (named === undefined) throw promptNotFound(wanted.name)
    const { version, label } = named
    const turns = turnsOf(version)
    const messages = await fillPrompt(variables, call, {
      turns,
      given: wanted.values,
      consent: await consentFor(grant, named),
    })
    const given = Object.keys(wanted.values).length > 0
    if (given && CLAUDE_CODE.test(client)) messages.push({ role: 'user', content: CUT_ARGUMENTS })
    const what = prompt.description === null ? 'prompt' : 'skill'
    addFetch(ctx, { grant, promptId: prompt.id, kind: what, version: version.number, label, client })
    return { description: toLine(version.title, TITLE_MAX), messages }
  }

  return {
    /** By name, after one; skills are apart. */
    async list({ grant }: Pick<McpCall, 'grant'>, after?: After) {
      const rows = await listReachedPrompts(db, {
        reach: reachOf(grant),
        kind: 'prompt',
        after,
        limit: PAGE + 1,
      })
      const page = rows.slice(0, PAGE)
      const described = await pMap(page, (prompt) => describe(grant, prompt), { concurrency: AT_ONCE })
      return { prompts: described.flat(), next: rows.length > PAGE ? page.at(-1) : undefined }
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
    async complete(
      { grant }: McpCall,
      { name, argument, begun }: { name: string; argument: string; begun: string },
    ) {
      const prompt = await find(grant, { name, kind: 'prompt' })
      const named = await openVersion(grant, { prompt })
      if (named === undefined) throw promptNotFound(name)
      const isMeant = (one: string) => one.toLowerCase() === argument.toLowerCase()
      const meant = namesIn(turnsOf(named.version)).find(isMeant)
      if (meant === undefined) return []
      const consent = await consentFor(grant, named)
      const known = await variables.describe({ names: [meant], user: grant.user, consent })
      const { allowedValues = [] } = known.get(meant) ?? {}
      const fits = (value: string) => value.toLowerCase().startsWith(begun.toLowerCase())
      return allowedValues.filter(fits).slice(0, COMPLETIONS_MAX)
    },
  }
}

function promptNotFound(name: string): AppError {
  return new AppError('not_found', `This token reaches no prompt ${quoteText(name, TITLE_MAX)}.`)
}
