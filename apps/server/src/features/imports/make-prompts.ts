import {
  nameKey,
  PROMPT_SETTINGS,
  PROMPT_TITLE_MAX,
  type PromptSettings,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { categoryIdOf, giveSlugs, tagIdsOf } from '../library/library.ts'
import { createPrompts, savePrompt } from '../prompts/prompts.ts'
import { nameOfCopy } from '../records/records.ts'
import type { Chosen, Import, Made } from './import-types.ts'
import { IMPORTED_SETTINGS, type Incoming, isOfFolder, isSameText, type Match } from './imports.policy.ts'

const DEFAULT_CATEGORY = 'General'

interface Making {
  wanted: Import
  chosen: readonly Chosen[]
}

export async function makeNew(ctx: Context<Transaction>, { wanted, chosen }: Making) {
  const { user, request } = wanted
  // The library shows what was made last first.
  const creating = chosen.filter(({ as }) => as !== 'version').toReversed()
  if (creating.length === 0) return []
  const place = await findPlaces(ctx, { user, request, creating })
  const rows = creating.map(({ as, match: { incoming } }) => ({
    ...incoming.settings,
    title: as === 'copy' ? nameOfCopy(incoming.prompt.title, PROMPT_TITLE_MAX) : incoming.prompt.title,
    content: incoming.prompt.content,
    note: wanted.note ?? incoming.prompt.note,
    isActive: incoming.prompt.isActive,
    ...place(incoming),
  }))
  const ids = await createPrompts(ctx, { prompts: rows, user })
  await giveSlugs(ctx, {
    kind: 'prompt',
    wanted: creating.flatMap(({ as, match: { incoming } }, index) => {
      const [id, { slug }] = [ids[index], incoming.prompt]
      return as === 'copy' || id === undefined || slug === undefined ? [] : [{ id, slug }]
    }),
  })
  return creating.flatMap(({ as, match }, index) => {
    const promptId = ids[index]
    if (promptId === undefined) return []
    return [{ match, made: { made: as, promptId, revision: 1, version: 1 } satisfies Made }]
  })
}

export async function makeVersions(ctx: Context<Transaction>, { wanted, chosen }: Making) {
  const { user, request } = wanted
  const done: { match: Match; made: Made }[] = []
  const saving = chosen.filter(({ as }) => as === 'version')
  const owned = saving.filter(({ match }) => isOfFolder(match.incoming.prompt))
  const place = await findPlaces(ctx, { user, request: { ...request, tag: null }, creating: owned })
  for (const { match } of saving) {
    const { existing, incoming } = match
    if (existing === undefined) continue
    const { content, note } = incoming.prompt
    const fields = isOfFolder(incoming.prompt)
      ? { ...wholeOver(match, wanted.note), ...place(incoming) }
      : { content, note, ...settingsOver(incoming.settings) }
    const saved = await savePrompt(ctx, { id: existing.id, user, fields, isShown: false })
    const { revision } = saved
    // 0: only unversioned fields changed, which the way back can't restore.
    const version = saved.version === existing.version ? 0 : saved.version
    done.push({ match, made: { made: 'version', promptId: existing.id, revision, version } })
  }
  return done
}

/** What the file leaves out is unset, except the model: a prompt without one keeps its own. */
function settingsOver(settings: PromptSettings) {
  const over = Object.fromEntries(IMPORTED_SETTINGS.map((name) => [name, settings[name] ?? null]))
  return settings.model === undefined ? over : { ...over, model: settings.model }
}

/** All of it: what a folder does not set is not set. */
function wholeOver({ incoming, existing }: Match, note = incoming.prompt.note) {
  const { title, content, isActive } = incoming.prompt
  const settings = Object.fromEntries(PROMPT_SETTINGS.map((name) => [name, incoming.settings[name] ?? null]))
  const isVersion =
    existing !== undefined && !(title === existing.title && isSameText(incoming, existing, PROMPT_SETTINGS))
  return { title, content, ...settings, isActive, ...(isVersion && { note }) }
}

async function findPlaces(
  ctx: SqlContext<Transaction>,
  { user, request, creating }: { user: User; request: Import['request']; creating: readonly Chosen[] },
) {
  const prompts = creating.map(({ match }) => match.incoming.prompt)
  const own = request.tag == null ? [] : [request.tag]
  const names = [...new Set([...own, ...prompts.flatMap((prompt) => prompt.tags)])]
  const tagIds = await tagIdsOf(ctx, { kind: 'prompt', names, user })
  const named = new Map<string | undefined, number>()
  for (const name of [...new Set(prompts.map(({ category }) => category))].sort()) {
    const isGiven = name === undefined && request.categoryId !== undefined
    const id = isGiven
      ? request.categoryId
      : await categoryIdOf(ctx, { name: name ?? DEFAULT_CATEGORY, user })
    if (id !== undefined) named.set(name, id)
  }
  return ({ prompt: { tags: wanted, category } }: Incoming) => ({
    categoryId: named.get(category) ?? 0,
    tagIds: [...own, ...wanted].flatMap((name) => tagIds.get(nameKey(name)) ?? []),
  })
}
