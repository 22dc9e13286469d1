import type { PromptSettings, Turn } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import { ifNotFound } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { type Consent, consentTo } from '../../records/records.ts'
import type { Grant } from '../../tokens/tokens.ts'
import { describeNames } from '../../variables/variables.ts'
import { findNamedPromptById, type NamedVersion, othersTextOf } from '../prompt-server/prompt-server.ts'
import { choosePromptVersion } from './choose-version.ts'
import type { ReachedPrompt } from './mcp-reach.sql.ts'
import { quoteText, toLine } from './quote-text.ts'

/** Characters that a client is told of a prompt beside its name. */
export const TITLE_MAX = 100
const BEGINNING_MAX = 200
export const CHOICES_MAX = 300

interface PromptArgument {
  name: string
  description?: string
  required: boolean
}

interface DescribedPrompt {
  name: string
  title: string
  description: string
  arguments: PromptArgument[]
}

/** Undefined for what the token does not serve. */
export async function openVersion(
  ctx: Context,
  { grant, prompt, label }: { grant: Grant; prompt: ReachedPrompt; label?: string | undefined },
): Promise<NamedVersion | undefined> {
  const choice = choosePromptVersion(grant, { has: prompt.labels, asked: label })
  if (choice === null) return undefined
  const wanted = { user: grant.user, id: prompt.id, choice }
  return findNamedPromptById(ctx, wanted).catch(ifNotFound)
}

/** What of the person's private values may enter the version's texts. */
export const consentFor = ({ user, allowed }: Grant, { prompt, version }: NamedVersion): Promise<Consent> =>
  consentTo([othersTextOf({ prompt, version, user })], allowed)

/** As clients list it; empty for what the token does not serve. */
export async function describePrompt(
  ctx: Context,
  { grant, prompt }: { grant: Grant; prompt: ReachedPrompt },
): Promise<DescribedPrompt[]> {
  const named = await openVersion(ctx, { grant, prompt })
  if (named === undefined) return []
  const { version, label } = named
  const turns = turnsOf(version)
  const shown = label === null ? '' : ` (${label})`
  const text = prompt.description ?? version.content
  const consent = await consentFor(grant, named)
  return [
    {
      name: prompt.name,
      title: toLine(version.title, TITLE_MAX),
      description: `Version ${version.number}${shown} of a prompt by ${toLine(prompt.owner, TITLE_MAX)}: ${quoteText(text, BEGINNING_MAX)}`,
      arguments: await argumentsOf(ctx, { grant, turns, consent }),
    },
  ]
}

/** What nobody has a value for, and what may be one of a few values. */
async function argumentsOf(
  ctx: Context,
  { grant: { user }, turns, consent }: { grant: Grant; turns: Turn[]; consent: Consent },
): Promise<PromptArgument[]> {
  const names = namesIn(turns)
  const known = await describeNames(ctx, { names, user, consent })
  return names.flatMap((name): PromptArgument[] => {
    const { hasValue = false, allowedValues = [] } = known.get(name) ?? {}
    if (hasValue && allowedValues.length === 0) return []
    const choices = toLine(allowedValues.join(', '), CHOICES_MAX)
    return [{ name, ...(choices !== '' && { description: `One of: ${choices}` }), required: !hasValue }]
  })
}

const ARGUMENTS_MAX = 50

interface VersionTexts {
  content: string
  settings: PromptSettings | null
}

/** All texts of a version, in the order in which a model is sent them; the system prompt stands before the first of a user. */
export function turnsOf({ content, settings }: VersionTexts): Turn[] {
  const turns: Turn[] = [...(settings?.messages ?? []), { role: 'user', content }]
  const system = settings?.systemPrompt ?? ''
  if (system === '') return turns
  const [first, ...rest] = turns
  return first?.role === 'user'
    ? [{ role: 'user', content: `${system}\n\n${first.content}` }, ...rest]
    : [{ role: 'user', content: system }, ...turns]
}

/** The names that the texts refer to, each once whatever its case, in order of appearance. */
export function namesIn(turns: readonly Turn[]): string[] {
  const names = new Map<string, string>()
  for (const { content } of turns) {
    for (const name of extractVariables(content)) {
      const key = name.toLowerCase()
      if (!names.has(key)) names.set(key, name)
      if (names.size === ARGUMENTS_MAX) return [...names.values()]
    }
  }
  return [...names.values()]
}
