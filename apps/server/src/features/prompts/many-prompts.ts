import type { SavePromptRequest, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { SqlContext } from '../../platform/context.ts'
import { requireCategory, requireTags } from '../library/library.ts'
import { namedAfter, splitPromptSettings, textNames } from '../records/records.ts'
import { deletePromptRows, insertPromptRows, insertPromptTags, insertPromptVersions } from './prompts.sql.ts'

/** Rows of one statement, and roughly its characters. */
const ROWS_MAX = 100
const LENGTH_MAX = 2_000_000

export interface ManyPrompts {
  prompts: readonly Omit<SavePromptRequest, 'revision' | 'slug' | 'isPublic'>[]
  user: User
}

/** The ids of new private prompts, in their order, which no form has shown yet. Many at once: the embedded database does nothing else meanwhile. */
export async function createPrompts(
  ctx: SqlContext<Transaction>,
  { prompts, user }: ManyPrompts,
): Promise<number[]> {
  for (const categoryId of new Set(prompts.map((prompt) => prompt.categoryId).sort((a, b) => a - b))) {
    await requireCategory(ctx, categoryId)
  }
  const tagIds = [...new Set(prompts.flatMap((prompt) => prompt.tagIds ?? []))]
  await requireTags(ctx, { kind: 'prompt', ids: tagIds })
  const ids: number[] = []
  for (const batch of batchesOf(prompts)) ids.push(...(await createBatch(ctx.db, { prompts: batch, user })))
  return ids
}

/** The caller has checked the person's rights. */
export async function deletePrompts({ db }: SqlContext<Transaction>, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_MAX) {
    await deletePromptRows(db, ids.slice(from, from + ROWS_MAX))
  }
}

async function createBatch(tx: Transaction, { prompts, user }: ManyPrompts): Promise<number[]> {
  const rows = prompts.map((prompt) => {
    const { columns, settings } = splitPromptSettings(prompt)
    const { title, content, categoryId, isActive = true, tagIds = [], note } = columns
    const names = textNames({ content, settings })
    const namedBy = namedAfter({ before: {}, names, userId: user.id, isShown: false })
    return {
      row: { title, content, categoryId, isActive, settings, namedBy, ownerId: user.id },
      tagIds,
      note,
    }
  })
  const ids = await insertPromptRows(
    tx,
    rows.map(({ row }) => row),
  )
  const made = rows.flatMap((each, index) => {
    const promptId = ids[index]
    return promptId === undefined ? [] : [{ ...each, promptId }]
  })
  await insertPromptVersions(
    tx,
    made.map(({ promptId, note, row: { title, content, settings, namedBy } }) => {
      return { promptId, number: 1, title, content, settings, namedBy, note: note ?? '', authorId: user.id }
    }),
  )
  await insertPromptTags(
    tx,
    made.flatMap(({ promptId, tagIds }) => [...new Set(tagIds)].map((tagId) => ({ promptId, tagId }))),
  )
  return ids
}

function* batchesOf(prompts: ManyPrompts['prompts']): Generator<ManyPrompts['prompts']> {
  let batch: ManyPrompts['prompts'][number][] = []
  let length = 0
  for (const prompt of prompts) {
    const own = prompt.content.length + (prompt.systemPrompt?.length ?? 0)
    if (batch.length > 0 && (batch.length >= ROWS_MAX || length + own > LENGTH_MAX)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(prompt)
    length += own
  }
  if (batch.length > 0) yield batch
}
