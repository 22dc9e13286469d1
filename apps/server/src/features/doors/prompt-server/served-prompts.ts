import type {
  ListServedPromptsQuery,
  PromptSettings,
  ServedPrompt,
  ServedPromptList,
  User,
} from '@catenary/contracts'
import { extractVariables, renderTemplate, TemplateTooLongError } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { type Consent, consentTo } from '../../records/records.ts'
import { addFetch, countedCall, type Grant } from '../../tokens/tokens.ts'
import { resolveVariables } from '../../variables/variables.ts'
import { findNamedPrompt, othersTextOf, type VersionChoice } from './named-prompts.ts'
import { countServedPrompts, listServedPrompts } from './served-versions.sql.ts'

interface Fetch {
  grant: Grant
  /** Name and version of the program, as it says; may be empty. */
  client: string
  name: string
  choice: VersionChoice
  /** Fill in what the library has for the token's creator; undefined: if the token may. */
  resolve: boolean | undefined
  signal: AbortSignal
}

interface Served {
  prompt: ServedPrompt
  label: string | null
}

export function fetchPrompt(
  ctx: Context,
  { grant, client, name, choice, resolve: asked, signal }: Fetch,
): Promise<Served> {
  return countedCall(ctx, { grant, client }, async () => {
    const mayResolve = grant.abilities.has('resolve')
    if (asked && !mayResolve) throw new AppError('forbidden', MAY_NOT_RESOLVE)
    const resolve = asked ?? mayResolve
    const { prompt, version, label } = await findNamedPrompt(ctx, { grant, name, choice })
    const { number, content, settings, note, labels } = version
    const { user, allowed } = grant
    const others = othersTextOf({ prompt, version, user })
    const filling = { user, resolve, consent: await consentTo(resolve ? [others] : [], allowed), signal }
    addFetch(ctx, { grant, promptId: prompt.id, kind: 'prompt', version: number, label, client })
    return {
      label,
      prompt: {
        name: prompt.slug,
        version: number,
        type: 'text',
        prompt: await toServedText(ctx, { content, ...filling }),
        config: await toServedConfig(ctx, { settings, ...filling }),
        labels,
        tags: prompt.tags.map((tag) => tag.name),
        commitMessage: note === '' ? null : note,
        resolutionGraph: null,
      },
    }
  })
}

export function listServed(
  ctx: Context,
  { grant, client, query }: Pick<Fetch, 'grant' | 'client'> & { query: ListServedPromptsQuery },
): Promise<ServedPromptList> {
  return countedCall(ctx, { grant, client }, async () => {
    const { db } = ctx
    const { page, limit, ...filter } = query
    const wanted = { ...filter, reach: grant }
    const totalItems = await countServedPrompts(db, wanted)
    const rows = await listServedPrompts(db, { ...wanted, page, limit })
    return {
      data: rows.map(({ updatedAt, ...row }) => ({
        ...row,
        type: 'text',
        lastUpdatedAt: updatedAt.toISOString(),
        lastConfig: {},
      })),
      meta: { page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) },
    }
  })
}

const MAY_NOT_RESOLVE =
  'This token can fetch prompts but not fill in their variables: it lacks the scope `resolve`.'

/** In UTF-16 units, as of what a model is sent. */
const TEXT_MAX = 8_000_000

interface Filling {
  user: User
  resolve: boolean
  consent: Consent
  signal: AbortSignal
}

/** Each reference as its value, or as `{{name}}` for the program to fill in; in one pass. */
export async function toServedText(
  ctx: Context,
  { content, user, resolve, consent, signal }: { content: string } & Filling,
): Promise<string> {
  const names = extractVariables(content)
  const wanted = { names: resolve ? names : [], user, consent, signal }
  const stored = await resolveVariables(ctx, wanted)
  const values = new Map(names.map((name) => [name, stored.get(name)?.value ?? `{{${name}}}`]))
  return renderWithin({ source: content, variables: values, maxLength: TEXT_MAX })
}

/** Throws `too_large` for a text that grows longer. */
export function renderWithin(template: Parameters<typeof renderTemplate>[0]): string {
  try {
    return renderTemplate(template).text
  } catch (error) {
    if (error instanceof TemplateTooLongError) throw new AppError('too_large', error.message)
    throw error
  }
}

/** Its settings, with system prompt and turns as the text is. */
async function toServedConfig(
  ctx: Context,
  { settings, ...filling }: { settings: PromptSettings | null } & Filling,
) {
  const { systemPrompt, messages, ...config } = settings ?? {}
  const fill = (content: string) => toServedText(ctx, { content, ...filling })
  const turns = messages ?? []
  const filled = await Promise.all(turns.map(({ content }) => fill(content)))
  return {
    ...config,
    ...(systemPrompt && { systemPrompt: await fill(systemPrompt) }),
    ...(messages && { messages: turns.map(({ role }, index) => ({ role, content: filled[index] ?? '' })) }),
  }
}
