import type { NamedBy, Prompt, PromptSettings, ShareRole } from '@catenary/contracts'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { categories, prompts, promptTags, promptVersions, runs, users } from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import { columnParams, copyRows } from '../../database/statements/copy-rows.ts'
import type { Database, Executor, Transaction } from '../../database/statements/executor.ts'
import { inBatches } from '../../database/statements/long-statements.ts'
import { namedByCopyOf, namedByOf } from '../../database/statements/named-by.sql.ts'
import { preparePlain, underKeys } from '../../database/statements/plain-statement.ts'
import { promptSearchColumns } from '../../database/statements/prompt-search.ts'
import {
  type GivenRole,
  promptColumns,
  promptLabelList,
  promptShareColumns,
  promptShareList,
  promptTagList,
  toRecord,
} from '../../database/statements/record-columns.ts'
import { promptsVisibleTo } from '../../database/statements/visible-rows.ts'
import { lockRecord, roleFor, withSettings } from '../records/records.ts'

type StoredPrompt = Omit<Prompt, 'canEdit' | 'canDelete' | 'canExecute' | 'othersNames'> & {
  ownerId: number
  namedBy: NamedBy
}

export interface PromptRecord extends StoredPrompt {
  shareRole: ShareRole | null
}

export interface PromptWithShares extends Omit<StoredPrompt, 'isShared'> {
  shares: GivenRole[]
}

export function recordFor(
  { shares, ...prompt }: PromptWithShares,
  viewer: { id: number | undefined; groupIds: readonly number[] },
): PromptRecord {
  const shareRole = prompt.ownerId === viewer.id ? null : roleFor(shares, viewer)
  return { ...prompt, isShared: shares.length > 0, shareRole }
}

type PromptFields = Omit<
  typeof prompts.$inferInsert,
  'ownerId' | 'namedBy' | 'version' | 'revision' | 'createdAt' | 'updatedAt'
>

type SavedTexts = Required<Pick<PromptFields, 'title' | 'content' | 'settings'>>

const nextRevision = sql`${prompts.revision} + 1`

interface Wanted {
  id: number
  viewerId: number | null
}

async function findOptionalPrompt(db: Executor, { id, viewerId }: Wanted): Promise<PromptRecord | undefined> {
  // Named, as to plan who sees it takes the database longer than to read it, and a save reads it twice.
  const [found] = await db
    .select({
      ...promptColumns,
      ...promptShareColumns(sql.placeholder('viewerId')),
      namedBy: namedByOf(prompts),
      tags: promptTagList,
      labels: promptLabelList,
    })
    .from(prompts)
    .innerJoin(categories, eq(categories.id, prompts.categoryId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .where(eq(prompts.id, sql.placeholder('id')))
    .prepare('find_prompt_for')
    .execute({ id, viewerId })
  return found && toRecord(withSettings(found))
}

type PromptRow = Omit<PromptWithShares, 'createdAt' | 'updatedAt' | keyof PromptSettings> &
  Record<'createdAt' | 'updatedAt', Date> & { settings: PromptSettings | null }

/** A plain statement: each run and each open dialog reads one prompt. */
export function preparePromptWithShares(db: Database): (id: number) => Promise<PromptWithShares | undefined> {
  const find = preparePlain<number, PromptRow>({
    db,
    name: 'find_prompt',
    query: db
      .select(
        underKeys({
          ...promptColumns,
          shares: promptShareList,
          namedBy: namedByOf(prompts),
          tags: promptTagList,
          labels: promptLabelList,
        }),
      )
      .from(prompts)
      .innerJoin(categories, eq(categories.id, prompts.categoryId))
      .innerJoin(users, eq(users.id, prompts.ownerId))
      .where(eq(prompts.id, sql.placeholder('id'))),
    readerOf: () => (id) => id,
  })
  return async (id) => {
    const [found] = await find(id)
    return found && toRecord(withSettings(found))
  }
}

export function listPromptTexts(
  db: Executor,
  { ids, viewerId }: { ids: number[]; viewerId: number | undefined },
) {
  const { id, title, content, settings, version } = promptColumns
  return db
    .select({ id, title, content, settings, version, namedBy: namedByOf(prompts) })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(viewerId)))
    .orderBy(prompts.id)
}

export function listPromptClips(
  db: Executor,
  { ids, viewerId }: { ids: number[]; viewerId: number | undefined },
) {
  const { id, title, version } = promptColumns
  return db
    .select({
      id,
      title,
      content: clipOf(prompts.content),
      contentLength: prompts.contentLength,
      version,
      namedBy: namedByOf(prompts),
    })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(viewerId)))
}

export async function findPrompt(db: Executor, wanted: Wanted): Promise<PromptRecord> {
  const found = await findOptionalPrompt(db, wanted)
  if (found === undefined) throw new Error(`There is no prompt ${wanted.id}`)
  return found
}

export async function lockOptionalPrompt(tx: Transaction, wanted: Wanted): Promise<PromptRecord | undefined> {
  await lockRecord(tx, { kind: 'prompt', id: wanted.id })
  return findOptionalPrompt(tx, wanted)
}

export async function insertPrompt(
  db: Executor,
  prompt: PromptFields & { ownerId: number; namedBy: NamedBy },
): Promise<number> {
  const [created] = await db
    .insert(prompts)
    .values({ ...prompt, ...promptSearchColumns(prompt) })
    .returning({ id: prompts.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

/** The id of a private copy with that title and owner; its other texts are those of the prompt. */
export async function copyPrompt(
  db: Executor,
  { id, texts, ownerId }: { id: number; texts: SavedTexts; ownerId: number },
): Promise<number> {
  const { title } = texts
  const [copyId] = await copyRows(db, {
    table: prompts,
    where: eq(prompts.id, id),
    given: {
      ...columnParams(prompts, promptSearchColumns(texts)),
      title,
      ownerId,
      slug: '',
      isPublic: false,
      writtenByOthers: sql`${prompts.writtenByOthers} or ${prompts.ownerId} <> ${ownerId} or exists (
        select from ${promptVersions} where ${promptVersions.promptId} = ${prompts.id}
          and ${promptVersions.authorId} is distinct from ${ownerId}
      )`,
      namedBy: namedByCopyOf(prompts, ownerId),
      version: 1,
      revision: 1,
    },
  })
  if (copyId === undefined) throw new Error(`There is no prompt ${id}`)
  return copyId
}

export async function updatePromptRow(
  db: Executor,
  { id, ...fields }: Partial<PromptFields> & SavedTexts & { id: number; version: number; namedBy: NamedBy },
): Promise<void> {
  await db
    .update(prompts)
    .set({ ...fields, ...promptSearchColumns(fields), revision: nextRevision, updatedAt: sql`now()` })
    .where(eq(prompts.id, id))
}

/** For a prompt being created: no new revision. */
export async function updatePromptSlug(
  db: Executor,
  { id, slug }: { id: number; slug: string },
): Promise<void> {
  await db.update(prompts).set({ slug }).where(eq(prompts.id, id))
}

/** Flips a switch: a new revision, but the prompt keeps its time and so its place in the list. */
export async function updatePromptSwitches(
  db: Executor,
  { id, ...switches }: Partial<Pick<PromptFields, 'isActive' | 'isPublic'>> & { id: number },
): Promise<void> {
  await db
    .update(prompts)
    .set({ ...switches, revision: nextRevision })
    .where(eq(prompts.id, id))
}

/** Detaches runs from their prompt, in slices: deleting it would do so in one statement. Those under way are notified. */
export async function releaseRunsOfPrompt(db: Database, promptId: number): Promise<void> {
  await inBatches(db, async (size) => {
    const slice = db
      .select({ id: runs.id })
      .from(runs)
      .where(and(eq(runs.promptId, promptId), ne(runs.status, 'running')))
      .limit(size)
    const released = await db.update(runs).set({ promptId: null }).where(inArray(runs.id, slice))
    return released.rowCount ?? 0
  })
}

export async function deletePromptRow(db: Executor, id: number): Promise<void> {
  await db.delete(prompts).where(eq(prompts.id, id))
}

export async function insertPromptRows(
  db: Executor,
  rows: (typeof prompts.$inferInsert & { namedBy: NamedBy })[],
): Promise<number[]> {
  const created = await db
    .insert(prompts)
    .values(rows.map((row) => ({ ...row, ...promptSearchColumns(row) })))
    .returning({ id: prompts.id })
  return created.map(({ id }) => id).sort((a, b) => a - b)
}

export async function insertPromptVersions(
  db: Executor,
  rows: (typeof promptVersions.$inferInsert & { namedBy: NamedBy })[],
): Promise<void> {
  await db.insert(promptVersions).values(rows)
}

export async function insertPromptTags(
  db: Executor,
  rows: (typeof promptTags.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await db.insert(promptTags).values(rows)
}

export async function deletePromptRows(db: Executor, ids: number[]): Promise<void> {
  await db.delete(prompts).where(inArray(prompts.id, ids))
}

/** Few, as texts are long and others wait. */
const SEARCH_BATCH = 50

/** Fills in search texts that are missing: of old rows, and of what the version before saves. Returns how many. */
export async function keepPromptSearch(db: Executor): Promise<number> {
  const { id, title, content, settings, revision } = prompts
  const rows = await db
    .select({ id, title, content, settings, revision })
    .from(prompts)
    .where(isNull(prompts.searchText))
    .orderBy(id)
    .limit(SEARCH_BATCH)
  if (rows.length === 0) return 0
  const read = rows.map((row) => ({ ...row, ...promptSearchColumns(row) }))
  const list = (name: 'searchText' | 'searchTitle' | 'orderTitle') =>
    sql`${sql.param(read.map((row) => row[name]))}::text[]`
  const ids = sql`${sql.param(read.map((row) => row.id))}::integer[]`
  const revisions = sql`${sql.param(read.map((row) => row.revision))}::integer[]`
  const { rowCount } = await db.execute(sql`
    update ${prompts} set search_text = read.words, search_title = read.title, order_title = read.place
    from unnest(${ids}, ${revisions}, ${list('searchText')}, ${list('searchTitle')}, ${list('orderTitle')})
      as read (id, revision, words, title, place)
    where ${prompts.id} = read.id and ${prompts.revision} = read.revision and ${prompts.searchText} is null`)
  return rowCount ?? 0
}
