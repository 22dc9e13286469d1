import type { ListedPromptVersion, NamedBy, Prompt, PromptVersion, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp, type SqlContext } from '../../platform/context.ts'
import { clipFields, type ListPage, type ListRequest } from '../../platform/list-page.ts'
import { requireIdBySlug } from '../library/library.ts'
import {
  canEditRecord,
  canViewRecord,
  createRecordAccess,
  groupIdsOf,
  listVersions,
  othersNamesOf,
  promptSettingsOf,
  requireVersion,
  textNames,
} from '../records/records.ts'
import { findOptionalPromptVersion, listPromptVersionRows } from './prompt-versions.sql.ts'
import { promptRights } from './prompts.policy.ts'
import {
  listPromptClips,
  listPromptTexts,
  lockOptionalPrompt,
  type PromptRecord,
  preparePromptWithShares,
  recordFor,
} from './prompts.sql.ts'

/** Characters of all prompts that are kept in memory. */
const CHARACTERS_KEPT = 8_000_000
const PROMPT_OVERHEAD = 1_000

const loadPrompt = onePerApp(({ db }) => preparePromptWithShares(db))
const cachedPrompts = onePerApp((ctx) =>
  readThroughCache({
    rowChanges: ctx.rowChanges,
    load: loadPrompt(ctx),
    rowsOf: (prompt) => [
      `prompts:${prompt.id}`,
      `users:${prompt.ownerId}`,
      `categories:${prompt.categoryId}`,
      ...prompt.tags.map(({ id }) => `tags:${id}` as const),
    ],
    capacity: CHARACTERS_KEPT,
    sizeOf: ({ content }) => content.length + PROMPT_OVERHEAD,
  }),
)

const access = createRecordAccess<PromptRecord, SqlContext<Transaction>>({
  noun: 'prompt',
  canSee: canViewRecord,
  canChange: canEditRecord,
  lock: ({ db }, { id, user }) => lockOptionalPrompt(db, { id, viewerId: user.id }),
  show: (_ctx, { stored, viewer }) => toPrompt(stored, viewer),
})
const { requireChangeable } = access

export const { requireVisible, openForChange } = access

export function toPrompt({ namedBy, ...record }: PromptRecord, viewer: User | null): Prompt {
  const names = viewer === null ? [] : Object.keys(namedBy)
  const othersNames = othersNamesOf(names, { namedBy, userId: viewer?.id })
  return { ...withRights(record, viewer), othersNames }
}

export function withRights<Record extends Omit<PromptRecord, 'namedBy'>>(
  { ownerId, shareRole, ...shown }: Record,
  viewer: User | null,
) {
  return { ...shown, ...promptRights(viewer, { ownerId, shareRole, isPublic: shown.isPublic }) }
}

export interface WantedPrompt {
  id: number
  user: User | null
}

export interface WantedPromptVersion {
  id: number
  number: number
  user: User
}

type PromptText = Pick<Prompt, 'id' | 'title' | 'content' | 'version'>

export async function readPrompt(ctx: Context, { id, user }: WantedPrompt): Promise<Prompt> {
  return toPrompt(requireVisible(await findCachedPrompt(ctx, { id, user }), user), user)
}

export async function readPromptBySlug(
  ctx: Context,
  { slug, user }: { slug: string; user: User | null },
): Promise<Prompt> {
  const id = await requireIdBySlug(ctx, { kind: 'prompt', slug, viewerId: user?.id })
  return readPrompt(ctx, { id, user })
}

/** For users who may change the prompt, as older versions may predate its becoming public. */
export async function readPromptVersion(
  ctx: Context,
  { id, number, user }: WantedPromptVersion,
): Promise<PromptVersion> {
  requireChangeable(await findCachedPrompt(ctx, { id, user }), user)
  const found = requireVersion(await findOptionalPromptVersion(ctx.db, { id, number }))
  return withOthersNames(found, user)
}

export function listPromptVersions(
  ctx: SqlContext,
  { id, user, query }: ListRequest<{ id: number; user: User }>,
): Promise<ListPage<ListedPromptVersion>> {
  return listVersions(ctx, {
    kind: 'prompt',
    id,
    user,
    query,
    listRows: async (part) =>
      (await listPromptVersionRows(ctx.db, part)).map(({ namedBy, ...version }) => ({
        ...version,
        othersNames: othersNamesOf(Object.keys(namedBy), { namedBy, userId: user.id }),
      })),
  })
}

function withOthersNames(
  { namedBy, ...version }: PromptVersion & { namedBy: NamedBy },
  viewer: User | null,
): PromptVersion {
  const names = textNames({ ...version, settings: promptSettingsOf(version) })
  return { ...version, othersNames: othersNamesOf(names, { namedBy, userId: viewer?.id }) }
}

/** One that the viewer can't see is read from the database like one that is not there: time would tell them apart. */
async function findCachedPrompt(ctx: Context, { id, user }: WantedPrompt) {
  const findCached = cachedPrompts(ctx)
  const viewer = { id: user?.id, groupIds: await groupIdsOf(ctx, user) }
  const known = findCached.peek(id)
  const isSeen = known !== undefined && canViewRecord(user, recordFor(known, viewer))
  const found = isSeen ? known : await (known === undefined ? findCached(id) : loadPrompt(ctx)(id))
  return found && recordFor(found, viewer)
}

export async function listVisibleClips(
  { db }: SqlContext,
  { ids, user }: { ids: number[]; user: User | null },
): Promise<Map<number, PromptText & { namedBy: NamedBy } & ReturnType<typeof clipFields>>> {
  if (ids.length === 0) return new Map()
  const rows = await listPromptClips(db, { ids, viewerId: user?.id })
  return new Map(rows.map(({ contentLength, ...row }) => [row.id, { ...row, ...clipFields(contentLength) }]))
}

export async function lockVisiblePrompts(
  { db }: SqlContext<Transaction>,
  { ids, user }: { ids: number[]; user: User },
): Promise<Map<number, PromptText>> {
  if (ids.length === 0) return new Map()
  const rows = await listPromptTexts(db, { ids, viewerId: user.id }).for('key share')
  return new Map(rows.map((row) => [row.id, row]))
}
