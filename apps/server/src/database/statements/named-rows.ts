import type { RecordKind } from '@catenary/contracts'
import { and, eq, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  chainAcceptances,
  chainNames,
  chains,
  promptAcceptances,
  promptNames,
  prompts,
} from '../schema/index.ts'
import type { Executor } from './executor.ts'
import { chainsVisibleTo, isSharedByName, promptsVisibleTo } from './visible-rows.ts'

const GIVEN = {
  prompt: { record: prompts, acceptances: promptAcceptances },
  chain: { record: chains, acceptances: chainAcceptances },
} as const

/**
 * Of several records of one name the first is the one that a person means (D48): their own, then what was shared with
 * them or accepted by them, then what is public; the oldest of each.
 */
export function meantFirst(kind: RecordKind, viewerId: number | Placeholder | undefined): SQL {
  const { record, acceptances } = GIVEN[kind]
  if (viewerId === undefined) return sql`${record.id}`
  return sql`case
    when ${record.ownerId} = ${viewerId} then 0
    when ${isSharedByName(kind, viewerId)} then 1
    when ${record.id} = any(array(
      select ${acceptances.recordId} from ${acceptances} where ${acceptances.userId} = ${viewerId}
    )) then 1
    else 2 end, ${record.id}`
}

export function idMeantBy(
  kind: RecordKind,
  { name, viewerId }: { name: SQL; viewerId: number | undefined },
): SQL<number | null> {
  const names = kind === 'prompt' ? promptNames : chainNames
  const from =
    kind === 'prompt'
      ? sql`${promptNames} join ${prompts} on ${eq(prompts.id, promptNames.recordId)}`
      : sql`${chainNames} join ${chains} on ${eq(chains.id, chainNames.recordId)}`
  const isVisible = kind === 'prompt' ? promptsVisibleTo(viewerId) : chainsVisibleTo(viewerId)
  return sql`(
    select ${names.recordId} from ${from} where ${names.name} = ${name} and ${isVisible}
    order by ${meantFirst(kind, viewerId)} limit 1)`
}

export function isCalled(names: typeof promptNames | typeof chainNames, name: string): SQL | undefined {
  const [, slug, id] = /^(.+)-(\d{1,9})$/s.exec(name) ?? []
  if (slug === undefined) return eq(names.name, name)
  return or(eq(names.name, name), and(eq(names.name, slug), eq(names.recordId, Number(id))))
}

/** For what is ordered: a name of its own comes before one with an id. */
export const exactFirst = (names: typeof promptNames | typeof chainNames, name: string): SQL =>
  sql`${names.name} <> ${name}`

/** By what the viewer's programs find others' records: the slug, with the id where the slug means another one. */
export async function readNames(
  executor: Executor,
  { kind, ids, viewerId }: { kind: RecordKind; ids: readonly number[]; viewerId: number },
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { record } = GIVEN[kind]
  const { rows } = await executor.execute<{ id: number; slug: string; meant: number | null }>(sql`
    select named.id, named.slug, ${idMeantBy(kind, { name: sql`named.slug`, viewerId })} as meant
    from (select id, slug from ${record} where id = any(${sql.param([...ids])}::integer[]) and owner_id <> ${viewerId}) as named`)
  return new Map(
    rows.map(({ id, slug, meant }) => [id, meant === null || meant === id ? slug : `${slug}-${id}`]),
  )
}
