import { type ListPromptsQuery, type Prompt, type PromptSort, SEARCH_COUNT_MAX } from '@catenary/contracts'
import { and, asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { clipOf } from '../../db/clipped-text.ts'
import type { Database, Executor } from '../../db/executor.ts'
import { preparePlain } from '../../db/plain-statement.ts'
import { categories, prompts, promptTags, promptTallies, tags, users } from '../../db/schema/index.ts'
import { containing, hasTrigram, isInTitlesAlone } from '../../db/text-search.ts'
import { type PromptRecord, promptColumns, toPromptRecord } from './prompts.repository.ts'

/** A prompt as lists show it: with the beginning of its content. */
export interface ListedPromptRecord extends PromptRecord {
  contentLength: number
  titleOrder: string
}

/** Where a prompt stands: by what the list is ordered by, and among those alike by its id. */
export interface PromptPlace {
  key: string
  id: number
}

export type PromptFilter = Pick<ListPromptsQuery, 'search' | 'searchIn' | 'categoryId' | 'tagIds'>

interface Listing {
  viewerId: number | undefined
  filter: PromptFilter
  sort: PromptSort
  /** Only what comes after this place. */
  after: PromptPlace | undefined
  limit: number
}

const { id, updatedAt, titleOrder } = prompts

const ORDERS: Record<PromptSort, { order: SQL[]; isAfter: (place: PromptPlace) => SQL }> = {
  updated: {
    order: [desc(updatedAt), desc(id)],
    isAfter: (place) => sql`(${updatedAt}, ${id}) < (${place.key}::timestamptz, ${place.id}::integer)`,
  },
  created: { order: [desc(id)], isAfter: (place) => lt(id, place.id) },
  title: {
    order: [asc(titleOrder), asc(id)],
    isAfter: (place) => sql`(${titleOrder}, ${id}) > (${place.key}, ${place.id}::integer)`,
  },
}

/** The rows that `canSeePrompt` lets the viewer see, in parts that each have indexes of their own. */
function visibleParts(viewerId: number | undefined): (SQL | undefined)[] {
  const isPublic = sql`${prompts.isPublic}`
  if (viewerId === undefined) return [isPublic]
  return [isPublic, and(sql`not ${prompts.isPublic}`, eq(prompts.ownerId, viewerId))]
}

function narrowedBy(executor: Executor, { categoryId, tagIds = [] }: PromptFilter): SQL | undefined {
  const tagged = executor
    .select({ id: promptTags.promptId })
    .from(promptTags)
    .where(inArray(promptTags.tagId, tagIds))
  return and(
    categoryId === undefined ? undefined : eq(prompts.categoryId, categoryId),
    tagIds.length === 0 ? undefined : inArray(id, tagged),
  )
}

/** In a way that no index knows. */
function hasInside(text: SQL, search: string): SQL {
  return sql`strpos(${text}, lower(${search})) > 0`
}

/** What a search looks for: `indexed` so that the index finds it, where it can; `walked` so that each row is looked at. */
function searchConditions({ search = '', searchIn }: PromptFilter) {
  const inTitle =
    searchIn === 'title' || isInTitlesAlone(search)
      ? hasInside(sql`lower(${prompts.title})`, search)
      : undefined
  const walked = inTitle ?? hasInside(sql`${prompts.searched}`, search)
  if (!hasTrigram(search)) return { indexed: walked, walked }
  return { indexed: and(sql`${prompts.searched} like lower(${containing(search)})`, inTitle), walked }
}

/** Ids of all that the viewer can see and a search finds; undefined when they are more than are counted. */
export async function findPromptIds(
  executor: Executor,
  { viewerId, filter }: Pick<Listing, 'viewerId' | 'filter'>,
): Promise<number[] | undefined> {
  const [first, second] = visibleParts(viewerId).map((part) =>
    executor
      .select({ id })
      .from(prompts)
      .where(and(part, narrowedBy(executor, filter), searchConditions(filter).indexed))
      .limit(SEARCH_COUNT_MAX + 1),
  )
  if (first === undefined) return []
  const found = (second === undefined ? first : unionAll(first, second)).as('found')
  // As a text: a thousand rows take longer to read than to find.
  const [row] = await executor
    .select({ ids: sql<string | null>`string_agg(${found.id}::text, ',')` })
    .from(found)
  const ids = row?.ids?.split(',').map(Number) ?? []
  return ids.length > SEARCH_COUNT_MAX ? undefined : ids
}

/**
 * A page of what the viewer can see and the filter matches. With the ids that a search has found only those are looked
 * at; a search that finds too many for that is met often enough on the way along the order.
 */
export async function listPrompts(
  executor: Executor,
  { viewerId, filter, sort, after, limit, ids }: Listing & { ids?: number[] | undefined },
): Promise<ListedPromptRecord[]> {
  const { order, isAfter } = ORDERS[sort]
  const matches = and(
    after && isAfter(after),
    ids
      ? sql`${id} = any(${sql.param(ids)}::integer[])`
      : and(narrowedBy(executor, filter), filter.search ? searchConditions(filter).walked : undefined),
  )
  const [first, second] = visibleParts(viewerId).map((part) =>
    executor
      .select({ id })
      .from(prompts)
      .where(and(part, matches))
      .orderBy(...order)
      .limit(limit),
  )
  if (first === undefined) return []
  const page = (second === undefined ? first : unionAll(first, second)).as('page')
  const rows = await executor
    .select({
      ...promptColumns,
      content: clipOf(prompts.content),
      contentLength: prompts.contentLength,
      titleOrder,
      tagIds: tagIdsOfRow,
    })
    .from(page)
    .innerJoin(prompts, eq(id, page.id))
    .innerJoin(categories, eq(categories.id, prompts.categoryId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .orderBy(...order)
    .limit(limit)
  const toTags = readTags(await listTagsByName(executor))
  return rows.map(({ tagIds, contentLength, titleOrder, ...row }) => ({
    ...toPromptRecord({ ...row, tags: toTags(tagIds) }),
    contentLength,
    titleOrder,
  }))
}

/** Ids: names in each of a thousand rows would cost more than the rows. */
const tagIdsOfRow = sql<string | null>`(
  select string_agg(${promptTags.tagId}::text, ',') from ${promptTags} where ${promptTags.promptId} = ${id}
)`

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

/** How many prompts the viewer can see that the filter, other than its search, matches. */
export async function countPrompts(
  executor: Executor,
  { viewerId, filter }: Pick<Listing, 'viewerId' | 'filter'>,
): Promise<number> {
  const counts = visibleParts(viewerId).map(async (part) => {
    const [row] = await executor
      .select({ count: count() })
      .from(prompts)
      .where(and(part, narrowedBy(executor, filter)))
    return row?.count ?? 0
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** Counts public prompts and, with a negative id that no category has, changes of names. */
const COMMON_SCOPES = [0, -1]

interface Tally {
  categoryId: number
  prompts: number
  changes: string
}

/** Of each category the number of prompts that the viewer can see, and what is another after each change of them. */
export function preparePromptTallies(db: Database): (viewerId: number | undefined) => Promise<Tally[]> {
  const read = preparePlain<number[], Tally>({
    db,
    name: 'prompt_tallies',
    query: db
      .select({
        categoryId: sql`${promptTallies.categoryId}`.as('categoryId'),
        prompts: sql`sum(${promptTallies.prompts})::integer`.as('prompts'),
        changes: sql`sum(${promptTallies.changes})::text`.as('changes'),
      })
      .from(promptTallies)
      .where(sql`${promptTallies.scope} = any(${sql.placeholder('scopes')})`)
      .groupBy(promptTallies.categoryId)
      .orderBy(promptTallies.categoryId),
    readerOf: () => (scopes) => scopes,
  })
  return (viewerId) => read(viewerId === undefined ? COMMON_SCOPES : [...COMMON_SCOPES, viewerId])
}
