import type { NamedBy, PromptSettings } from '@catenary/contracts'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { inBatches } from '../../db/long-statements.ts'
import { preparePlain, underKeys } from '../../db/plain-statement.ts'
import { categories, prompts, promptTags, runs, users } from '../../db/schema/index.ts'
import { clipOf } from '../../db/sql/clipped-text.ts'
import { columnParams, copyRows } from '../../db/sql/copy-rows.ts'
import { namedByCopyOf, namedByOf } from '../../db/sql/named-by.sql.ts'
import { promptSearchColumns } from '../../db/sql/prompt-search.ts'
import {
  promptColumns,
  promptLabelList,
  promptShareColumns,
  promptShareList,
  promptTagList,
  toRecord,
} from '../../db/sql/record-columns.ts'
import { promptsVisibleTo } from '../../db/sql/visible-rows.ts'
import { withSettings } from '../../model-settings.ts'
import type { PromptRecord, PromptWithShares } from './prompt-record.ts'

/** A text comes with who brought its names in. */
type PromptFields = Omit<
  typeof prompts.$inferInsert,
  'ownerId' | 'namedBy' | 'version' | 'revision' | 'createdAt' | 'updatedAt'
>

/** All that search reads of a prompt, also where some of it stays. */
type SavedTexts = Required<Pick<PromptFields, 'title' | 'content' | 'settings'>>

const nextRevision = sql`${prompts.revision} + 1`

/** Which prompt, and for whom its share is looked up; a guest has none. */
interface Wanted {
  id: number
  viewerId: number | null
}

function selectPrompts(executor: Executor, { viewerId }: Pick<Wanted, 'viewerId'>) {
  return executor
    .select({
      ...promptColumns,
      ...promptShareColumns(viewerId),
      namedBy: namedByOf(prompts),
      tags: promptTagList,
      labels: promptLabelList,
    })
    .from(prompts)
    .innerJoin(categories, eq(categories.id, prompts.categoryId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
}

export async function findOptionalPrompt(
  executor: Executor,
  { id, viewerId }: Wanted,
): Promise<PromptRecord | undefined> {
  const [found] = await selectPrompts(executor, { viewerId }).where(eq(prompts.id, id))
  return found && toRecord(withSettings(found))
}

type PromptRow = Omit<PromptWithShares, 'createdAt' | 'updatedAt' | keyof PromptSettings> &
  Record<'createdAt' | 'updatedAt', Date> & { settings: PromptSettings | null }

/** Plain, as each run and each open dialog asks for one prompt. */
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

/** Title and content of those of the ids that the viewer can see. */
export function listPromptTexts(
  executor: Executor,
  { ids, viewerId }: { ids: number[]; viewerId: number | undefined },
) {
  const { id, title, content, settings, version } = promptColumns
  return executor
    .select({ id, title, content, settings, version, namedBy: namedByOf(prompts) })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(viewerId)))
    .orderBy(prompts.id)
}

/** The same with the beginnings of the contents. */
export function listPromptClips(
  executor: Executor,
  { ids, viewerId }: { ids: number[]; viewerId: number | undefined },
) {
  const { id, title, version } = promptColumns
  return executor
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

export async function findPrompt(executor: Executor, wanted: Wanted): Promise<PromptRecord> {
  const found = await findOptionalPrompt(executor, wanted)
  if (found === undefined) throw new Error(`There is no prompt ${wanted.id}`)
  return found
}

/** The current state; prompt, tags and shares are kept from other writers until the transaction ends. */
export async function lockOptionalPrompt(tx: Transaction, wanted: Wanted): Promise<PromptRecord | undefined> {
  // In two steps: a row that was waited for comes with its tags and shares from before the wait.
  await tx.select({ id: prompts.id }).from(prompts).where(eq(prompts.id, wanted.id)).for('update')
  return findOptionalPrompt(tx, wanted)
}

/** The new prompt's id. */
export async function insertPrompt(
  executor: Executor,
  prompt: PromptFields & { ownerId: number; namedBy: NamedBy },
): Promise<number> {
  const [created] = await executor
    .insert(prompts)
    .values({ ...prompt, ...promptSearchColumns(prompt) })
    .returning({ id: prompts.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

/** The id of a private copy with that title and owner; its other texts are those of the prompt. */
export async function copyPrompt(
  executor: Executor,
  { id, texts, ownerId }: { id: number; texts: SavedTexts; ownerId: number },
): Promise<number> {
  const { title } = texts
  const [copyId] = await copyRows(executor, {
    table: prompts,
    where: eq(prompts.id, id),
    given: {
      ...columnParams(prompts, promptSearchColumns(texts)),
      title,
      ownerId,
      slug: '',
      isPublic: false,
      namedBy: namedByCopyOf(prompts, ownerId),
      version: 1,
      revision: 1,
    },
  })
  if (copyId === undefined) throw new Error(`There is no prompt ${id}`)
  return copyId
}

/** Saves the given fields: a new revision, updated now. */
export async function updatePromptRow(
  executor: Executor,
  { id, ...fields }: Partial<PromptFields> & SavedTexts & { id: number; version: number; namedBy: NamedBy },
): Promise<void> {
  await executor
    .update(prompts)
    .set({ ...fields, ...promptSearchColumns(fields), revision: nextRevision, updatedAt: sql`now()` })
    .where(eq(prompts.id, id))
}

/** For a prompt being created: no new revision. */
export async function updatePromptSlug(
  executor: Executor,
  { id, slug }: { id: number; slug: string },
): Promise<void> {
  await executor.update(prompts).set({ slug }).where(eq(prompts.id, id))
}

/** Flips a switch: a new revision, but the prompt keeps its time and so its place in the list. */
export async function updatePromptSwitches(
  executor: Executor,
  { id, ...switches }: Partial<Pick<PromptFields, 'isActive' | 'isPublic'>> & { id: number },
): Promise<void> {
  await executor
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

export async function deletePromptRow(executor: Executor, id: number): Promise<void> {
  await executor.delete(prompts).where(eq(prompts.id, id))
}

export async function replacePromptTags(
  executor: Executor,
  { promptId, tagIds }: { promptId: number; tagIds: number[] },
): Promise<void> {
  await executor.delete(promptTags).where(eq(promptTags.promptId, promptId))
  const rows = [...new Set(tagIds)].map((tagId) => ({ promptId, tagId }))
  if (rows.length > 0) await executor.insert(promptTags).values(rows)
}

export async function lockCategory(tx: Transaction, id: number): Promise<boolean> {
  const found = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.id, id))
    .for('key share')
  return found.length > 0
}
