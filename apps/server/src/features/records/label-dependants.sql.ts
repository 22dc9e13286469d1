import { LIST_PAGE_MAX, type RecordDependants, type User } from '@catenary/contracts'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import {
  apiTokens,
  apiTokenUses,
  chainLabels,
  chainSteps,
  chains,
  chainVersions,
  evaluationCells,
  evaluations,
  runs,
  scheduledRuns,
  testSuites,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { hasKeptRuns } from '../../database/statements/kept-schedules.ts'
import { isKeptRun } from '../../database/statements/open-runs.ts'
import { scopesName } from '../../database/statements/token-scopes.ts'
import { chainsVisibleTo } from '../../database/statements/visible-rows.ts'
import type { RecordKey } from './record-kinds.sql.ts'

interface OfLabel {
  id: number
  label: string
}

interface LinkingStep {
  id: number
  name: string
  version: number | null
  position: number
  title: string
  isVisible: boolean
}

/** Steps of chains as they are, and of their versions that labels hold, which link to a prompt by its label; by chain. */
export async function listLinkingSteps(
  db: Executor,
  { id, label, viewerId }: OfLabel & { viewerId: number | undefined },
): Promise<LinkingStep[]> {
  const link = JSON.stringify([{ promptId: id, promptLabel: label }])
  const current = sql`
    select ${chainSteps.chainId} as chain_id, null::integer as version, ${chainSteps.title} as title, (
      select count(*)::integer from ${chainSteps} as earlier
      where earlier.chain_id = ${chainSteps.chainId}
        and (earlier.position, earlier.id) < (${chainSteps.position}, ${chainSteps.id})
    ) as position
    from ${chainSteps} where ${chainSteps.promptId} = ${id} and ${chainSteps.promptLabel} = ${label}`
  const kept = sql`
    select ${chainVersions.chainId}, ${chainVersions.number}, step ->> 'title', (place - 1)::integer
    from ${chainVersions}
    cross join lateral jsonb_array_elements(${chainVersions.steps}) with ordinality as steps (step, place)
    where exists (
        select from ${chainLabels}
        where ${chainLabels.recordId} = ${chainVersions.chainId} and ${chainLabels.version} = ${chainVersions.number}
      )
      and ${chainVersions.number} <> (select ${chains.version} from ${chains} where ${chains.id} = ${chainVersions.chainId})
      and ${chainVersions.steps} @> ${link}::jsonb
      and step @> (${link}::jsonb -> 0)`
  const { rows } = await db.execute<Record<keyof LinkingStep, never>>(sql`
    select ${chains.id} as id, ${chains.name} as name, linking.version, linking.position, linking.title,
      coalesce(${chainsVisibleTo(viewerId)}, false) as "isVisible"
    from (${current} union all ${kept}) as linking
    inner join ${chains} on ${chains.id} = linking.chain_id
    order by ${chains.id}, linking.version nulls first, linking.position
    limit ${LIST_PAGE_MAX}`)
  return rows
}

export function listLabelSchedules(db: Executor, { id, label }: OfLabel) {
  const { name, nextDueAt, createdBy } = scheduledRuns
  return db
    .select({ id: scheduledRuns.id, name, nextDueAt, createdBy, hasKeptRuns })
    .from(scheduledRuns)
    .where(runsBy(scheduledRuns, { id, label }))
    .orderBy(asc(byLetters(name)), asc(scheduledRuns.id))
    .limit(LIST_PAGE_MAX)
}

export function listLabelTokens(db: Executor, { id, label }: OfLabel) {
  return listTokens(db, runsBy(apiTokens, { id, label }))
}

export function listReadTokens(db: Executor, { id }: Pick<OfLabel, 'id'>) {
  return listTokens(db, scopesName('prompt', id))
}

/** How much would end with a prompt or chain, without others' evaluations whose results are kept from the viewer (D68). */
export async function countDependantRows(
  db: Executor,
  { kind, id, viewer }: RecordKey & { viewer: User },
): Promise<RecordDependants> {
  const isPrompt = kind === 'prompt'
  const none = sql`0`
  const count = (from: SQL) => sql`(select count(*)::integer from ${from})`
  const of = (table: typeof testSuites | typeof evaluations) =>
    sql`${table} where ${isPrompt ? table.promptId : table.chainId} = ${id}`
  const isKept = sql`(${evaluations.startedBy} <> ${viewer.id} and exists (
    select from ${evaluationCells} join ${runs} on ${runs.id} = ${evaluationCells.executionId}
    where ${evaluationCells.evaluationId} = ${evaluations.id} and ${isKeptRun}
  ))`
  const seen = viewer.role === 'admin' ? of(evaluations) : sql`${of(evaluations)} and not ${isKept}`
  const linking = sql`(select distinct ${chainSteps.chainId} from ${chainSteps} where ${chainSteps.promptId} = ${id}) as linking`
  const { rows } = await db.execute<Record<keyof RecordDependants, never>>(sql`
    select ${isPrompt ? count(linking) : none} as chains,
      ${isPrompt ? none : count(sql`${scheduledRuns} where ${scheduledRuns.chainId} = ${id}`)} as schedules,
      ${
        isPrompt
          ? count(sql`${apiTokens} where ${scopesName('prompt', id)}`)
          : count(sql`${apiTokens} where ${apiTokens.chainId} = ${id}`)
      } as tokens,
      ${count(of(testSuites))} as suites, ${count(seen)} as evaluations`)
  return rows[0] as RecordDependants
}

function listTokens(db: Executor, where: SQL | undefined) {
  const { name } = apiTokens
  const lastUsed = sql<Date | null>`(
    select max(${apiTokenUses.lastUsed}) from ${apiTokenUses} where ${apiTokenUses.apiTokenId} = ${apiTokens.id}
  )`.mapWith(apiTokenUses.lastUsed)
  return db
    .select({ id: apiTokens.id, name, lastUsed, createdBy: apiTokens.createdBy })
    .from(apiTokens)
    .where(where)
    .orderBy(asc(byLetters(name)), asc(apiTokens.id))
    .limit(LIST_PAGE_MAX)
}

function runsBy(table: typeof scheduledRuns | typeof apiTokens, { id, label }: OfLabel): SQL | undefined {
  return and(eq(table.chainId, id), eq(table.chainLabel, label))
}
