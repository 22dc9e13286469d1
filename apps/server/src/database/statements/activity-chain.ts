import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Queryable } from './queryable.ts'

/** The key of the setting that says where the chain ends. */
export const CHAIN_END = 'activity-chain'

export const chainEnd = z.object({
  number: z.int(),
  hash: z.string(),
  day: z.string(),
  /** Time of the newest row that has a link. */
  at: z.iso.datetime(),
  linkedAt: z.iso.datetime(),
  /** The rows of days before were deleted as too old; null: none. */
  keptFrom: z.string().nullable(),
  /** The day on which rows of any age were last looked for. */
  lookedThroughOn: z.string(),
})
export type ChainEnd = z.infer<typeof chainEnd>

const utc = (time: string, form: string) => `to_char(${time} at time zone 'UTC', '${form}')`
export const dayOf = (time: string) => utc(time, 'YYYY-MM-DD')
export const isoOf = (time: string) => utc(time, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')

/** A row of the activity, `a`, as the database writes it: alike on every database. */
export const ROW_TEXT = `jsonb_build_array(a.id, ${isoOf('a.at')}, a.person_id, a.kind, a.object_type, a.object_id,
  a.owner_id, a.door, a.address, a.before, a.after, a.count)::text`

interface Link {
  previous: string
  number: number
  day: string
  row: string
}

export const hashOfLink = ({ previous, number, day, row }: Link): string =>
  createHash('sha256').update([previous, number, day, row].join('\n')).digest('hex')

interface StoredLink {
  number: number
  activity_id: number
  day: string
  hash: string
  has_row: boolean
  row: string
  row_day: string
}

export interface ActivityVerdict {
  links: number
  /** Time of the newest row that has a link; null: there is none. */
  until: string | null
  /** The first row that is not as it was, with its day; null: all are. */
  problem: string | null
}

const BATCH = 1_000
/** A row waits for its link for a minute, and for longer while the program is stopped. */
const WAITS = `interval '1 hour'`

/** Null where the database has no activity yet, or this role may not read it. It reads every row. */
export async function verifyActivity(client: Queryable): Promise<ActivityVerdict | null> {
  const { rows: found } = await client.query(`
    select coalesce(has_table_privilege(to_regclass('public.activity'), 'select')
      and has_table_privilege(to_regclass('public.activity_links'), 'select'), false) as readable`)
  if (!found[0].readable) return null
  const end = await readEnd(client)
  const verdict = { links: end?.number ?? 0, until: end?.at ?? null }
  const last = await walkLinks(client, end?.keptFrom ?? '')
  if (last.problem !== null) return { ...verdict, problem: last.problem }
  return { ...verdict, problem: findCut(end, last) ?? (await findUnlinked(client, end)) }
}

async function readEnd(client: Queryable): Promise<ChainEnd | undefined> {
  const { rows } = await client.query(`select value from settings where key = '${CHAIN_END}'`)
  return chainEnd.safeParse(rows[0]?.value).data
}

interface Last {
  number: number
  hash: string
  day: string
  problem: string | null
}

async function walkLinks(client: Queryable, keptFrom: string): Promise<Last> {
  let last: Last = { number: 0, hash: '', day: '', problem: null }
  for (;;) {
    const { rows } = await client.query(`
      select l.number, l.activity_id, l.day, l.hash, a.id is not null as has_row, ${ROW_TEXT} as row,
        ${dayOf('a.at')} as row_day
      from activity_links l left join activity a on a.id = l.activity_id
      where l.number > ${last.number} order by l.number limit ${BATCH}`)
    for (const link of rows as StoredLink[]) {
      const { number, hash, day } = link
      const problem = day < keptFrom ? null : findProblem(link, last)
      last = { number, hash, day, problem }
      if (problem !== null) return last
    }
    if (rows.length < BATCH) return last
  }
}

function findProblem(
  link: StoredLink,
  { number: before, hash: previous, day: dayBefore }: Last,
): string | null {
  const { number, activity_id: id, day, hash, has_row: hasRow, row, row_day: rowDay } = link
  if (number !== before + 1) {
    return `Rows before row ${id} of ${day} are missing: links ${before + 1} to ${number - 1}`
  }
  if (!hasRow) return `Row ${id} of ${day} is missing`
  if (hash !== hashOfLink({ previous, number, day, row })) return `Row ${id} of ${day} was changed or moved`
  if (day < dayBefore || rowDay < dayBeforeThat(day))
    return `Row ${id} of ${day} says that it is of ${rowDay}`
  return null
}

/** A change that began before midnight is linked after it. */
const dayBeforeThat = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length)

function findCut(end: ChainEnd | undefined, { number, hash, day }: Last): string | null {
  if (end === undefined) {
    return number === 0 ? null : `It is not known where the chain ends, after link ${number} of ${day}`
  }
  if (number < end.number) {
    return `The last rows are missing: links ${number + 1} to ${end.number}, up to ${end.day}`
  }
  if (number === end.number && hash === end.hash) return null
  return `Link ${number} of ${day} is not where the chain ended`
}

async function findUnlinked(client: Queryable, end: ChainEnd | undefined): Promise<string | null> {
  if (end === undefined) return null
  const { rows } = await client.query(`
    select a.id, ${dayOf('a.at')} as day from activity a
    where a.at < '${end.linkedAt}'::timestamptz - ${WAITS}
      and not exists (select from activity_links l where l.activity_id = a.id)
    order by a.id limit 1`)
  return rows[0] === undefined ? null : `Row ${rows[0].id} of ${rows[0].day} is not in the chain`
}
