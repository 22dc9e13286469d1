import { Readable } from 'node:stream'
import {
  type ActivityFilter,
  type ActivityObject,
  type ActivityRow,
  COUNT_MAX,
  LIST_PAGE_MAX,
  type ListQuery,
  type User,
} from '@catenary/contracts'
import { type AppContext, type SqlContext, transaction } from '../../platform/context.ts'
import {
  countUpTo,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { countActivity, listActivityRows, listLinkedRows, type StoredActivity } from './activity.sql.ts'
import { readMoveReasons, readObjectNames } from './object-names.sql.ts'
import { recordActivity } from './record-activity.ts'

const CURSOR = defineCursor({ list: 'activity', position: cursorPosition.id })

export interface Reader {
  user: User
  /** What is the person's own, or all. */
  extent: 'own' | 'all'
}

const wantedBy = ({ user, extent }: Reader, filter: ActivityFilter) => ({
  filter,
  ofPerson: extent === 'all' ? undefined : user.id,
})

/** Newest first. Throws `invalid` for a foreign cursor. */
export async function listActivity(
  ctx: SqlContext,
  { query: { limit, cursor, ...filter }, ...reader }: ListRequest<Reader, ActivityFilter & ListQuery>,
): Promise<ListPage<ActivityRow>> {
  const { db } = ctx
  const before = CURSOR.read(cursor)
  const wanted = wantedBy(reader, filter)
  const [stored, counted] = await Promise.all([
    listActivityRows(db, { ...wanted, before, limit: limit + 1 }),
    before === undefined ? countActivity(db, wanted) : undefined,
  ])
  return toPage({
    rows: await show(ctx, { ...reader, stored }),
    limit,
    total: counted === undefined ? undefined : countUpTo(COUNT_MAX, counted),
    toItem: (row) => row,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

type Cell = string | number | null | undefined

const COLUMNS: Record<string, (row: ActivityRow) => Cell> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  person_id: ({ person }) => person?.id,
  person: ({ person }) => person?.username,
  kind: ({ kind }) => kind,
  object_type: ({ object }) => object.type,
  object_id: ({ object }) => object.id,
  object_name: ({ object }) => object.name,
  door: ({ door }) => door,
  address: ({ address }) => address,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  reason: ({ reason }) => reason,
  count: ({ count }) => count,
  link_number: ({ link }) => link?.number,
  link_hash: ({ link }) => link?.hash,
}

export const toCsvHeader = (): string => `${Object.keys(COLUMNS).join(',')}\r\n`

export const toCsvLine = (row: ActivityRow): string =>
  `${Object.values(COLUMNS)
    .map((cellOf) => toCell(cellOf(row)))
    .join(',')}\r\n`

/** What programs of spreadsheets would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

function toCell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const FILES = {
  csv: { type: 'text/csv; charset=utf-8', head: toCsvHeader(), lineOf: toCsvLine },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    lineOf: (row: ActivityRow) => `${JSON.stringify(row)}\n`,
  },
}

export interface ActivityFile {
  name: string
  type: string
  content: Readable
}

/** All that the filters find. It is recorded before it begins, so it has its own row where that is not filtered out. */
export async function openActivityFile(
  ctx: AppContext,
  { format, filter, ...reader }: Reader & { format: keyof typeof FILES; filter: ActivityFilter },
): Promise<ActivityFile> {
  const isOfAll = reader.extent === 'all'
  const object = isOfAll ? 'instance' : 'account'
  const id = isOfAll ? null : reader.user.id
  await transaction(ctx, (ctx) => recordActivity(ctx, { kind: 'activity.exported', object, id }))
  const { type, head, lineOf } = FILES[format]
  async function* write() {
    if (head !== '') yield head
    let before: number | undefined
    for (;;) {
      const stored = await listActivityRows(ctx.db, {
        ...wantedBy(reader, filter),
        before,
        limit: LIST_PAGE_MAX,
      })
      const rows = await show(ctx, { ...reader, stored })
      yield rows.map(lineOf).join('')
      before = stored.at(-1)?.id
      if (stored.length < LIST_PAGE_MAX) return
    }
  }
  return { name: `activity.${format}`, type, content: Readable.from(write()) }
}

/** As this reader may see it: of others' acts no address, and no name or reason of what they can't see. */
async function show(
  { db }: SqlContext,
  { user, extent, stored }: Reader & { stored: StoredActivity[] },
): Promise<ActivityRow[]> {
  const idsOf = new Map<ActivityObject, Set<number>>()
  for (const { objectType, objectId } of stored) {
    if (objectId === null) continue
    idsOf.set(objectType, (idsOf.get(objectType) ?? new Set()).add(objectId))
  }
  const read = async ([type, ids]: [ActivityObject, Set<number>]) =>
    [type, await readObjectNames(db, { type, ids: [...ids], viewerId: user.id })] as const
  const names = new Map(await Promise.all([...idsOf].map(read)))
  const nameOf = ({ objectType, objectId }: StoredActivity): string | null =>
    objectId === null ? null : (names.get(objectType)?.get(objectId) ?? null)
  const moves = stored.filter((row) => nameOf(row) !== null).flatMap((row) => moveOf(row) ?? [])
  const reasons = await readMoveReasons(db, moves)
  return stored.map((row) => {
    const { personId, address } = row
    const name = nameOf(row)
    const reason = name === null ? null : (reasons.get(moveOf(row) ?? 0) ?? null)
    const isShown = extent === 'all' || personId === user.id
    return toRow({ ...row, address: isShown ? address : null }, { name, reason })
  })
}

function moveOf({ after }: Pick<StoredActivity, 'after'>): number | undefined {
  return typeof after?.moveId === 'number' ? after.moveId : undefined
}

type AnyStored = Omit<StoredActivity, 'number' | 'hash'> & { number: number | null; hash: string | null }

/** What no row holds: it is read for who may see the record. */
interface Read {
  name: string | null
  reason: string | null
}

function toRow(stored: AnyStored, { name, reason }: Read): ActivityRow {
  const { at, personId, username, objectType, objectId, before, after, number, hash, ...row } = stored
  return {
    ...row,
    at: at.toISOString(),
    person: personId === null ? null : { id: personId, username },
    object: { type: objectType, id: objectId, name },
    before: before as ActivityRow['before'],
    after: after as ActivityRow['after'],
    reason,
    link: number === null || hash === null ? null : { number, hash },
  }
}

/** For what is sent elsewhere: in the order of the chain, without names of objects. */
export async function readLinkedRows(
  { db }: SqlContext,
  page: { after: number; limit: number },
): Promise<ActivityRow[]> {
  return (await listLinkedRows(db, page)).map((row) => toRow(row, { name: null, reason: null }))
}
