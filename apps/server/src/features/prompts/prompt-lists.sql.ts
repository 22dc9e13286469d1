import { COUNT_MAX, type Prompt, type PromptSettings, type PromptSort } from '@catenary/contracts'
import { and, asc, count, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { categories, prompts, promptTags, tags, users } from '../../database/schema/index.ts'
import { clipOf, isLongJson } from '../../database/statements/clipped-text.ts'
import type { Database } from '../../database/statements/executor.ts'
import { runLongStatement } from '../../database/statements/long-statements.ts'
import { keyOrderOf } from '../../database/statements/name-keys.ts'
import { preparePlain, underKeys } from '../../database/statements/plain-statement.ts'
import { promptOrder } from '../../database/statements/prompt-search.ts'
import { promptColumns, promptShareColumns, toRecord } from '../../database/statements/record-columns.ts'
import { withSettings } from '../records/records.ts'
import {
  isMatch,
  type ListScope,
  type Shape,
  searchedText,
  shapeOf,
  type Values,
  valuesOf,
  visibleParts,
} from './prompt-filter.sql.ts'
import type { PromptRecord } from './prompts.sql.ts'

export type { PromptFilter } from './prompt-filter.sql.ts'

export interface ListedPromptRecord extends Omit<PromptRecord, 'namedBy'> {
  isSettingsLong: boolean
  contentLength: number
  titleOrder: string
}

interface PromptPlace {
  key: string
  id: number
}

interface Placed {
  sort: PromptSort
  after: PromptPlace | undefined
}

interface Listing extends ListScope, Placed {
  limit: number
  /** The ids that a search found, unless there are too many to start from. */
  ids: number[] | undefined
}

interface PlacedShape extends Shape {
  sort: PromptSort
  isAfter: boolean
}

interface ListShape extends PlacedShape {
  hasIds: boolean
  /** Rows to read of each part: not a parameter, as a few rows need another plan than many. */
  partLimit: number
}

const value = sql.placeholder
const { id } = prompts

type Ordering = Record<'id' | 'updatedAt' | 'titleOrder', SQLWrapper>
const orderingColumns = { id, updatedAt: prompts.updatedAt, titleOrder: promptOrder }

const ORDERS: Record<PromptSort, (by: Ordering) => { order: SQL[]; isAfter: SQL }> = {
  updated: ({ id, updatedAt }) => ({
    order: [desc(updatedAt), desc(id)],
    isAfter: sql`(${updatedAt}, ${id}) < (${value('key')}::timestamptz, ${value('id')}::integer)`,
  }),
  created: ({ id }) => ({ order: [desc(id)], isAfter: sql`${id} < ${value('id')}::integer` }),
  title: ({ id, titleOrder }) => ({
    order: [asc(titleOrder), asc(id)],
    isAfter: sql`(${titleOrder}, ${id}) > (${value('key')}, ${value('id')}::integer)`,
  }),
}

/** What a search has found already matches the rest of its filter. */
const FOUND = { searchIn: 'all' } as const

const PART_LIMITS = [201, 1001]

/** Ids: names in each of a thousand rows would cost more than the rows. */
const tagIdsOfRow = sql<string | null>`(
  select string_agg(${promptTags.tagId}::text, ',') from ${promptTags} where ${promptTags.promptId} = ${id}
)`

const isLongSettings = isLongJson(prompts.settings)

interface ListRow
  extends Omit<PromptRecord, 'namedBy' | 'tags' | 'createdAt' | 'updatedAt' | keyof PromptSettings>,
    Record<'createdAt' | 'updatedAt', Date> {
  tagIds: string | null
  settings: PromptSettings | null
  isSettingsLong: boolean
  contentLength: number
  titleOrder: string
}

function prepare<Row extends object>(
  db: Database,
  query: Parameters<typeof preparePlain>[0]['query'],
  name?: string,
) {
  return preparePlain<Values, Row>({ db, name, query, readerOf: (key) => (values) => values[key] })
}

const selectIds = (db: Database, where: SQL | undefined) =>
  db
    .select({ ...orderingColumns, titleOrder: promptOrder.as('order_key') })
    .from(prompts)
    .where(where)
    .$dynamic()

/** The union of what each part gives; the parts differ in their rows alone. */
function inParts(shape: Shape, part: (isVisible: SQL | undefined) => ReturnType<typeof selectIds>) {
  const [first, second, ...others] = visibleParts(shape).map(part)
  if (first === undefined) throw new Error('There is a part that everyone sees')
  return second === undefined ? first : unionAll(first, second, ...others)
}

function prepareSearch(db: Database, shape: PlacedShape) {
  const found = inParts(shape, (isVisible) =>
    selectIds(db, and(isVisible, isMatch(shape))).limit(COUNT_MAX + 1),
  ).as('found')
  const { order, isAfter } = ORDERS[shape.sort](found)
  const inOrder = sql`string_agg(${found.id}::text, ',' order by ${sql.join(order, sql`, `)})`
  const query = db
    .select({
      count: sql`count(*)::integer`.as('count'),
      // As a text: a thousand rows take longer to read than to find.
      ids: (shape.isAfter ? sql`${inOrder} filter (where ${isAfter})` : inOrder).as('ids'),
    })
    .from(found)
  // Planned for each text: how common it is decides the plan.
  return prepare<{ count: number; ids: string | null }>(db, query)
}

function preparePage(db: Database, shape: ListShape, key: string) {
  const { sort, isAfter, hasIds, partLimit } = shape
  const { order, isAfter: after } = ORDERS[sort](orderingColumns)
  const isFound = hasIds ? sql`${id} = any(${value('ids')}::integer[])` : isMatch(shape)
  const parts = inParts(shape, (isVisible) =>
    selectIds(db, and(isVisible, isFound, isAfter ? after : undefined))
      .orderBy(...order)
      .limit(sql.raw(String(partLimit)) as unknown as number),
  ).as('parts')
  const query = db
    .select(
      underKeys({
        ...promptColumns,
        ...promptShareColumns(value('viewerId')),
        content: clipOf(prompts.content),
        contentLength: prompts.contentLength,
        settings: sql`case when not ${isLongSettings} then ${prompts.settings} end`,
        isSettingsLong: isLongSettings,
        titleOrder: promptOrder,
        tagIds: tagIdsOfRow,
      }),
    )
    .from(parts)
    .innerJoin(prompts, eq(id, parts.id))
    .innerJoin(categories, eq(categories.id, prompts.categoryId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .orderBy(...order)
    .limit(value('limit'))
  const isAlike = shape.ownership === 'all' && !shape.hasCategory && !shape.hasTags
  // A narrowed list is planned each time: a category may have five prompts or all, a person too.
  return prepare<ListRow>(db, query, isAlike ? `prompts_${key}` : undefined)
}

function prepareCount(db: Database, shape: Shape) {
  const counted = visibleParts(shape).map(
    (isVisible) =>
      sql`(${db
        .select({ count: count() })
        .from(prompts)
        .where(and(isVisible, isMatch(shape)))})`,
  )
  const query = db
    .select({ count: sql`(${sql.join(counted, sql` + `)})::integer`.as('count') })
    .from(sql`(values (1)) as one`)
  return prepare<{ count: number }>(db, query)
}

function prepareTags(db: Database) {
  const query = db
    .select(underKeys({ id: tags.id, name: tags.name }))
    .from(tags)
    .where(eq(tags.kind, 'prompt'))
    .orderBy(keyOrderOf(tags))
  return prepare<Prompt['tags'][number]>(db, query, 'prompt_tag_names')
}

export function preparePromptLists(db: Database) {
  const findShape = oncePerShape((shape: PlacedShape) => prepareSearch(db, shape))
  const listPage = oncePerShape((shape: ListShape, key) => preparePage(db, shape, key))
  const countShape = oncePerShape((shape: Shape) => prepareCount(db, shape))
  const listTags = prepareTags(db)

  return {
    /** How many visible prompts a search finds, and the next ones in order; undefined if there are too many. */
    async find({
      sort,
      after,
      ...scope
    }: ListScope & Placed): Promise<{ count: number; ids: number[] } | undefined> {
      const shape = shapeOf(scope, searchedText(scope.filter, { byIndex: true }))
      const find = findShape({ ...shape, sort, isAfter: after !== undefined })
      const [row] = await runLongStatement(db, () => find({ ...valuesOf(scope), ...after }))
      const { count = 0, ids } = row ?? {}
      return count > COUNT_MAX ? undefined : { count, ids: ids?.split(',').map(Number) ?? [] }
    },

    /**
     * A page of what the viewer can see and the filter matches. When a search found few rows, only those are read; a
     * frequent text is found quickly in list order.
     */
    async list({ sort, after, limit, ids, ...scope }: Listing): Promise<ListedPromptRecord[]> {
      const { ownership } = scope.filter
      const text = ids ? undefined : searchedText(scope.filter, { byIndex: false })
      const list = listPage({
        ...shapeOf(ids ? { ...scope, filter: { ...FOUND, ownership } } : scope, text),
        sort,
        isAfter: after !== undefined,
        hasIds: ids !== undefined,
        partLimit: PART_LIMITS.find((most) => limit <= most) ?? limit,
      })
      const read = () => list({ ...valuesOf(scope), ...after, ids, limit })
      const rows = await (text ? runLongStatement(db, read) : read())
      const toTags = readTags(await listTags({}))
      return rows.map(({ tagIds, ...row }) => toRecord(withSettings({ ...row, tags: toTags(tagIds) })))
    },

    async count(scope: ListScope): Promise<number> {
      const [row] = await countShape(shapeOf(scope, undefined))(valuesOf(scope))
      return row?.count ?? 0
    },
  }
}

function oncePerShape<Of extends object, Made>(make: (shape: Of, key: string) => Made): (shape: Of) => Made {
  const made = new Map<string, Made>()
  return (shape) => {
    const key = Object.values(shape).join('_')
    const known = made.get(key) ?? make(shape, key)
    made.set(key, known)
    return known
  }
}

function readTags(ordered: Prompt['tags']): (ids: string | null) => Prompt['tags'] {
  const places = new Map(ordered.map(({ id }, place) => [String(id), place]))
  return (ids) =>
    (ids?.split(',') ?? [])
      .flatMap((id) => places.get(id) ?? [])
      .sort((a, b) => a - b)
      .flatMap((place) => ordered[place] ?? [])
}
