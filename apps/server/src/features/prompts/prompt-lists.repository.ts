import { COUNT_MAX, type ListPromptsQuery, type Prompt, type PromptSort } from '@catenary/contracts'
import { and, asc, count, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { clipOf } from '../../db/clipped-text.ts'
import type { Database } from '../../db/executor.ts'
import { inTurn } from '../../db/long-statements.ts'
import { preparePlain, underKeys } from '../../db/plain-statement.ts'
import { promptColumns, toRecord } from '../../db/record-columns.ts'
import { categories, prompts, promptTags, tags, users } from '../../db/schema/index.ts'
import { containing, hasTrigram, isInTitlesAlone } from '../../db/text-search.ts'
import type { PromptRecord } from './prompt-record.ts'
import { readTags } from './read-tags.ts'

/** A prompt as lists show it: with the beginning of its content. */
export interface ListedPromptRecord extends PromptRecord {
  contentLength: number
  titleOrder: string
}

/** Where a prompt stands: by what the list is ordered by, and among those alike by its id. */
interface PromptPlace {
  key: string
  id: number
}

export type PromptFilter = Pick<ListPromptsQuery, 'search' | 'searchIn' | 'categoryId' | 'tagIds'>

interface Narrowed {
  viewerId: number | undefined
  filter: PromptFilter
}

/** In which order, and from where on. */
interface Placed {
  sort: PromptSort
  /** Only what comes after this place. */
  after: PromptPlace | undefined
}

interface Listing extends Narrowed, Placed {
  limit: number
  /** Of what a search has found, unless that is too much to begin with. */
  ids: number[] | undefined
}

/** Where a statement looks for the text of a search. */
type SearchedText = 'index' | 'text' | 'title' | 'index and title'

/** What statements differ in; all else are values. */
interface Shape {
  isGuest: boolean
  hasCategory: boolean
  hasTags: boolean
  text: SearchedText | undefined
}

interface PlacedShape extends Shape {
  sort: PromptSort
  isAfter: boolean
}

interface ListShape extends PlacedShape {
  hasIds: boolean
  /** Rows that each part is read for: not a value, as the way to read a few is not that to read many. */
  partLimit: number
}

type Values = Record<string, unknown>

const value = sql.placeholder
const { id } = prompts

/** What a list is ordered by, of prompts or of what was selected of them. */
type Ordering = Record<'id' | 'updatedAt' | 'titleOrder', SQLWrapper>
const orderingColumns = { id, updatedAt: prompts.updatedAt, titleOrder: prompts.titleOrder }

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

/** The rows that `canSeePrompt` lets the viewer see, in parts that each have indexes of their own. */
function visibleParts({ isGuest }: Shape): (SQL | undefined)[] {
  const isPublic = sql`${prompts.isPublic}`
  return isGuest
    ? [isPublic]
    : [isPublic, and(sql`not ${prompts.isPublic}`, eq(prompts.ownerId, value('viewerId')))]
}

const inText = sql`strpos(${prompts.searched}, lower(${value('search')})) > 0`
const inTitle = sql`strpos(lower(${prompts.title}), lower(${value('search')})) > 0`
const inIndex = sql`${prompts.searched} like lower(${value('pattern')})`

const SEARCHED: Record<SearchedText, SQL | undefined> = {
  index: inIndex,
  text: inText,
  title: inTitle,
  'index and title': and(inIndex, inTitle),
}

function isMatch({ hasCategory, hasTags, text }: Shape): SQL | undefined {
  const isTagged = sql`${id} in (
    select ${promptTags.promptId} from ${promptTags} where ${promptTags.tagId} = any(${value('tagIds')}::integer[])
  )`
  return and(
    hasCategory ? eq(prompts.categoryId, value('categoryId')) : undefined,
    hasTags ? isTagged : undefined,
    text && SEARCHED[text],
  )
}

function searchedText(
  { search, searchIn }: PromptFilter,
  { byIndex }: { byIndex: boolean },
): SearchedText | undefined {
  if (!search) return undefined
  const isTitle = searchIn === 'title' || isInTitlesAlone(search)
  if (byIndex && hasTrigram(search)) return isTitle ? 'index and title' : 'index'
  return isTitle ? 'title' : 'text'
}

function shapeOf({ viewerId, filter }: Narrowed, text: SearchedText | undefined): Shape {
  const { categoryId, tagIds = [] } = filter
  return {
    isGuest: viewerId === undefined,
    hasCategory: categoryId !== undefined,
    hasTags: tagIds.length > 0,
    text,
  }
}

function valuesOf({ viewerId, filter: { search = '', categoryId, tagIds } }: Narrowed): Values {
  return { viewerId, search, pattern: containing(search), categoryId, tagIds }
}

const PART_LIMITS = [201, 1001]

/** Ids: names in each of a thousand rows would cost more than the rows. */
const tagIdsOfRow = sql<string | null>`(
  select string_agg(${promptTags.tagId}::text, ',') from ${promptTags} where ${promptTags.promptId} = ${id}
)`

interface ListRow
  extends Omit<PromptRecord, 'tags' | 'createdAt' | 'updatedAt'>,
    Record<'createdAt' | 'updatedAt', Date> {
  tagIds: string | null
  contentLength: number
  titleOrder: string
}

/** The statements of lists: each shape is written once, when it is first needed. */
export function preparePromptLists(db: Database) {
  const prepare = <Row extends object>(query: Parameters<typeof preparePlain>[0]['query'], name?: string) =>
    preparePlain<Values, Row>({ db, name, query, readerOf: (key) => (values) => values[key] })

  /** The union of what each part gives; the parts differ in their rows alone. */
  function inParts(shape: Shape, part: (isVisible: SQL | undefined) => ReturnType<typeof selectIds>) {
    const [first, second] = visibleParts(shape).map(part)
    if (first === undefined) throw new Error('There is a part that everyone sees')
    return second === undefined ? first : unionAll(first, second)
  }

  const selectIds = (where: SQL | undefined) =>
    db.select(orderingColumns).from(prompts).where(where).$dynamic()

  const findShape = oncePerShape((shape: PlacedShape) => {
    const found = inParts(shape, (isVisible) =>
      selectIds(and(isVisible, isMatch(shape))).limit(COUNT_MAX + 1),
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
    // Planned for each text: how common it is decides the way.
    return prepare<{ count: number; ids: string | null }>(query)
  })

  const listPage = oncePerShape((shape: ListShape, key) => {
    const { sort, isAfter, hasIds, partLimit } = shape
    const { order, isAfter: after } = ORDERS[sort](orderingColumns)
    const isFound = hasIds ? sql`${id} = any(${value('ids')}::integer[])` : isMatch(shape)
    const parts = inParts(shape, (isVisible) =>
      selectIds(and(isVisible, isFound, isAfter ? after : undefined))
        .orderBy(...order)
        .limit(sql.raw(String(partLimit)) as unknown as number),
    ).as('parts')
    const query = db
      .select(
        underKeys({
          ...promptColumns,
          content: clipOf(prompts.content),
          contentLength: prompts.contentLength,
          titleOrder: prompts.titleOrder,
          tagIds: tagIdsOfRow,
        }),
      )
      .from(parts)
      .innerJoin(prompts, eq(id, parts.id))
      .innerJoin(categories, eq(categories.id, prompts.categoryId))
      .innerJoin(users, eq(users.id, prompts.ownerId))
      .orderBy(...order)
      .limit(value('limit'))
    const isAlike = !shape.hasCategory && !shape.hasTags
    // What is narrowed is planned each time: a category may have five prompts or all.
    return prepare<ListRow>(query, isAlike ? `prompts_${key}` : undefined)
  })

  const countShape = oncePerShape((shape: Shape) => {
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
    return prepare<{ count: number }>(query)
  })

  const listTags = prepare<Prompt['tags'][number]>(
    db
      .select(underKeys({ id: tags.id, name: tags.name }))
      .from(tags)
      .where(eq(tags.kind, 'prompt'))
      .orderBy(sql`lower(${tags.name})`),
    'prompt_tag_names',
  )

  return {
    /** How much of what the viewer can see a search finds, and in order what of it comes next; undefined for too much. */
    async find({
      sort,
      after,
      ...narrowed
    }: Narrowed & Placed): Promise<{ count: number; ids: number[] } | undefined> {
      const shape = shapeOf(narrowed, searchedText(narrowed.filter, { byIndex: true }))
      const find = findShape({ ...shape, sort, isAfter: after !== undefined })
      const [row] = await inTurn(db, () => find({ ...valuesOf(narrowed), ...after }))
      const { count = 0, ids } = row ?? {}
      return count > COUNT_MAX ? undefined : { count, ids: ids?.split(',').map(Number) ?? [] }
    },

    /**
     * A page of what the viewer can see and the filter matches. Of what a search has found no more is looked at; a text
     * that is found too often for that is met often enough on the way along the order.
     */
    async list({ sort, after, limit, ids, ...narrowed }: Listing): Promise<ListedPromptRecord[]> {
      const text = ids ? undefined : searchedText(narrowed.filter, { byIndex: false })
      const list = listPage({
        ...shapeOf(ids ? { ...narrowed, filter: { searchIn: 'all' } } : narrowed, text),
        sort,
        isAfter: after !== undefined,
        hasIds: ids !== undefined,
        partLimit: PART_LIMITS.find((most) => limit <= most) ?? limit,
      })
      const read = () => list({ ...valuesOf(narrowed), ...after, ids, limit })
      const rows = await (text ? inTurn(db, read) : read())
      const toTags = readTags(await listTags({}))
      return rows.map(({ tagIds, contentLength, titleOrder, ...row }) => ({
        ...toRecord({ ...row, tags: toTags(tagIds) }),
        contentLength,
        titleOrder,
      }))
    },

    /** How many prompts the viewer can see that the filter, other than its search, matches. */
    async count(narrowed: Narrowed): Promise<number> {
      const [row] = await countShape(shapeOf(narrowed, undefined))(valuesOf(narrowed))
      return row?.count ?? 0
    },
  }
}

/** Remembers what was made for a shape. */
function oncePerShape<Of extends object, Made>(make: (shape: Of, key: string) => Made): (shape: Of) => Made {
  const made = new Map<string, Made>()
  return (shape) => {
    const key = Object.values(shape).join('_')
    const known = made.get(key) ?? make(shape, key)
    made.set(key, known)
    return known
  }
}
