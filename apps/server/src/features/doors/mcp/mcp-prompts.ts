import { type Turn, tidyName } from '@catenary/contracts'
import pMap from 'p-map'
import { AppError } from '../../../errors.ts'
import type { Context, SqlContext } from '../../../platform/context.ts'
import { addFetch, type Grant } from '../../tokens/tokens.ts'
import { describeNames } from '../../variables/variables.ts'
import { consentFor, describePrompt, namesIn, openVersion, TITLE_MAX, turnsOf } from './describe-prompts.ts'
import { fillPrompt } from './fill-prompt.ts'
import type { McpCall } from './mcp-call.ts'
import {
  type After,
  findOptionalReachedPrompt,
  listReachedPrompts,
  type ReachedKind,
  type ReachedPrompt,
} from './mcp-reach.sql.ts'
import { quoteText, toLine } from './quote-text.ts'

const PAGE = 50
const AT_ONCE = 4
const COMPLETIONS_MAX = 100
const CLAUDE_CODE = /^claude[ -]?code\b/i
const CUT_ARGUMENTS =
  'Claude Code cuts the arguments of this command at spaces, so a value above may be only its first word. ' +
  'The full text is in what the user typed after the command.'

interface WantedPrompt {
  call: McpCall
  /** `prompt`: as a client's own prompt; `any`: by the tool, a skill's text too. */
  kind: ReachedKind
  name: string
  values: Record<string, string>
  label?: string | undefined
}

interface GivenPrompt {
  description: string
  messages: Turn[]
}

/** The prompts of a token, by name, after one; skills are apart. */
export async function listPrompts(
  ctx: Context,
  { grant, after }: { grant: Grant; after?: After | undefined },
) {
  const rows = await listReachedPrompts(ctx.db, {
    reach: grant,
    kind: 'prompt',
    after,
    limit: PAGE + 1,
  })
  const page = rows.slice(0, PAGE)
  return {
    prompts: await describeAll(ctx, { grant, prompts: page }),
    next: rows.length > PAGE ? page.at(-1) : undefined,
  }
}

/** Skills too, for clients that know no skills. */
export async function searchPrompts(
  ctx: Context,
  { grant, query, limit }: { grant: Grant; query: string; limit: number },
) {
  const search = query === '' ? undefined : query
  const rows = await listReachedPrompts(ctx.db, { reach: grant, kind: 'any', search, limit })
  return describeAll(ctx, { grant, prompts: rows })
}

async function describeAll(ctx: Context, { grant, prompts }: { grant: Grant; prompts: ReachedPrompt[] }) {
  const describe = (prompt: ReachedPrompt) => describePrompt(ctx, { grant, prompt })
  return (await pMap(prompts, describe, { concurrency: AT_ONCE })).flat()
}

/** Throws `not_found`, and `invalid` where a value is missing. */
export async function givePrompt(
  ctx: Context,
  { call, kind, name, values: given, label: asked }: WantedPrompt,
): Promise<GivenPrompt> {
  const { grant, client, signal } = call
  const prompt = await findPrompt(ctx, { grant, name, kind })
  const named = await openVersion(ctx, { grant, prompt, label: asked })
  if (named === undefined) throw promptNotFound(name)
  const { version, label } = named
  const turns = turnsOf(version)
  const consent = await consentFor(grant, named)
  const messages = await fillPrompt(ctx, { grant, signal, turns, given, consent })
  const hasGiven = Object.keys(given).length > 0
  if (hasGiven && CLAUDE_CODE.test(client)) messages.push({ role: 'user', content: CUT_ARGUMENTS })
  const what = prompt.description === null ? 'prompt' : 'skill'
  addFetch(ctx, { grant, promptId: prompt.id, kind: what, version: version.number, label, client })
  return { description: toLine(version.title, TITLE_MAX), messages }
}

export async function completeArgument(
  ctx: Context,
  { grant, name, argument, begun }: { grant: Grant; name: string; argument: string; begun: string },
): Promise<string[]> {
  const prompt = await findPrompt(ctx, { grant, name, kind: 'prompt' })
  const named = await openVersion(ctx, { grant, prompt })
  if (named === undefined) throw promptNotFound(name)
  const isMeant = (one: string) => one.toLowerCase() === argument.toLowerCase()
  const meant = namesIn(turnsOf(named.version)).find(isMeant)
  if (meant === undefined) return []
  const consent = await consentFor(grant, named)
  const known = await describeNames(ctx, { names: [meant], user: grant.user, consent })
  const { allowedValues = [] } = known.get(meant) ?? {}
  const fits = (value: string) => value.toLowerCase().startsWith(begun.toLowerCase())
  return allowedValues.filter(fits).slice(0, COMPLETIONS_MAX)
}

async function findPrompt(
  { db }: SqlContext,
  { grant, name, kind }: { grant: Grant; name: string; kind: ReachedKind },
): Promise<ReachedPrompt> {
  const found = await findOptionalReachedPrompt(db, { reach: grant, kind, name: tidyName(name) })
  if (found === undefined) throw promptNotFound(name)
  return found
}

function promptNotFound(name: string): AppError {
  return new AppError('not_found', `This token reaches no prompt ${quoteText(name, TITLE_MAX)}.`)
}
