import type { ListPromptsQuery, Prompt } from '@catenary/contracts'
import { and, desc, eq, ilike, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { categories, prompts, promptTags, tags, users } from '../../db/schema/index.ts'
import { type PromptRecord, promptColumns, toPromptRecord, visibleTo } from './prompts.repository.ts'

/** Who looks, and what they narrow the list to. */
interface Listing {
  viewerId: number | undefined
  filter: ListPromptsQuery
}

const joinedIds = sql<string | null>`string_agg(${promptTags.tagId}::text, ',')`

/** What the viewer can see and the filter matches, last updated first. */
export async function listPrompts(executor: Executor, listing: Listing): Promise<PromptRecord[]> {
  const rows = await selectListed(executor, listing)
  const toTags = readTags(await listTagsByName(executor))
  return rows.map(({ tagIds, ...row }) => toPromptRecord({ ...row, tags: toTags(tagIds) }))
}

/** Rows with the ids of their tags: names in each of thousands of rows would cost more than the rows. */
function selectListed(executor: Executor, { viewerId, filter }: Listing) {
  const conditions = filterConditions(executor, filter)
  const isWhole = conditions.length === 0
  const grouped = executor
    .select({ promptId: promptTags.promptId, tagIds: joinedIds.as('tag_ids') })
    .from(promptTags)
    .groupBy(promptTags.promptId)
    .as('grouped')
  // Grouping reads the tags of all prompts: worth it for the whole list only.
  const ofRow = sql<string | null>`(
    select ${joinedIds} from ${promptTags} where ${promptTags.promptId} = ${prompts.id}
  )`
  const query = executor
    .select({ ...promptColumns, tagIds: isWhole ? sql<string | null>`${grouped.tagIds}` : ofRow })
    .from(prompts)
    .innerJoin(categories, eq(categories.id, prompts.categoryId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .where(and(visibleTo(viewerId), ...conditions))
    .orderBy(desc(prompts.updatedAt), desc(prompts.id))
    .$dynamic()
  return isWhole ? query.leftJoin(grouped, eq(grouped.promptId, prompts.id)) : query
}

function filterConditions(executor: Executor, { search, categoryId, tagIds }: ListPromptsQuery): SQL[] {
  const conditions: (SQL | undefined)[] = []
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
    conditions.push(or(ilike(prompts.title, pattern), ilike(prompts.content, pattern)))
  }
  if (categoryId !== undefined) conditions.push(eq(prompts.categoryId, categoryId))
  if (tagIds !== undefined && tagIds.length > 0) {
    const tagged = executor
      .select({ id: promptTags.promptId })
      .from(promptTags)
      .where(inArray(promptTags.tagId, tagIds))
    conditions.push(inArray(prompts.id, tagged))
  }
  return conditions.filter((condition) => condition !== undefined)
}

function listTagsByName(executor: Executor): Promise<Prompt['tags']> {
  return executor
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .where(eq(tags.kind, 'prompt'))
    .orderBy(sql`lower(${tags.name})`)
}

/** Reads `3,1,2` as tags in the order of the given ones. */
function readTags(ordered: Prompt['tags']): (ids: string | null) => Prompt['tags'] {
  const places = new Map(ordered.map(({ id }, place) => [String(id), place]))
  return (ids) =>
    (ids?.split(',') ?? [])
      .flatMap((id) => places.get(id) ?? [])
      .sort((a, b) => a - b)
      .flatMap((place) => ordered[place] ?? [])
}

/** Another text whenever what the viewer can see has changed: each write of a prompt raises its revision. */
export async function findPromptListState(executor: Executor, viewerId: number | undefined): Promise<string> {
  const named = (id: SQLWrapper, name: SQLWrapper) =>
    sql`bit_xor(hashtextextended(${id} || ' ' || ${name}, 0))`
  const [row] = await executor
    .select({
      state: sql<string>`concat_ws('.',
        count(*),
        bit_xor(hashint8extended(${prompts.id}::bigint << 32 | ${prompts.revision}, 0)),
        (select ${named(categories.id, categories.name)} from ${categories}),
        (select ${named(tags.id, tags.name)} from ${tags}),
        (select ${named(users.id, users.displayUsername)} from ${users}))`,
    })
    .from(prompts)
    .where(visibleTo(viewerId))
  if (row === undefined) throw new Error('The count returned no row')
  return row.state
}
