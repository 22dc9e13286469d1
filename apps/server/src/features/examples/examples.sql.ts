import type { ExampleKind } from '@catenary/contracts'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { asciiKey } from '../../database/schema/columns.ts'
import {
  chainGroupShares,
  chainLabels,
  chainShares,
  chainSteps,
  chains,
  chainVersions,
  examples,
  promptGroupShares,
  promptLabels,
  promptNames,
  promptShares,
  prompts,
  promptVersions,
  scheduledRuns,
  testSuites,
  users,
  variables,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { isNamedByTokens } from '../../database/statements/token-scopes.ts'
import type { Dependant, Example } from './examples.policy.ts'

const RECORD = {
  prompt: { column: examples.promptId, table: prompts, id: prompts.id },
  chain: { column: examples.chainId, table: chains, id: chains.id },
  variable: { column: examples.variableId, table: variables, id: variables.id },
  suite: { column: examples.suiteId, table: testSuites, id: testSuites.id },
} as const
/** Saves of a chain lock it before its prompts, those of a suite before its record. */
const LOCK_ORDER = ['suite', 'chain', 'prompt', 'variable'] as const satisfies readonly ExampleKind[]

/** Creating and removing this person's examples run one at a time. */
export async function lockOwner(tx: Transaction, ownerId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')
}

export async function insertExamples(
  db: Executor,
  { ownerId, records }: { ownerId: number; records: readonly Dependant[] },
): Promise<void> {
  const column = { prompt: 'promptId', chain: 'chainId', variable: 'variableId', suite: 'suiteId' } as const
  await db.insert(examples).values(records.map(({ kind, id }) => ({ ownerId, [column[kind]]: id })))
}

/** The records that still exist stay, but from now on none of them is an example. */
export async function deleteExampleRows(db: Executor, ownerId: number): Promise<void> {
  await db.delete(examples).where(eq(examples.ownerId, ownerId))
}

export async function countExamples(
  db: Executor,
  ownerId: number,
): Promise<Record<'prompts' | 'chains' | 'variables' | 'suites', number>> {
  const count = (column: PgColumn) => sql<number>`count(${column})::integer`
  const [counted] = await db
    .select({
      prompts: count(examples.promptId),
      chains: count(examples.chainId),
      variables: count(examples.variableId),
      suites: count(examples.suiteId),
    })
    .from(examples)
    .where(eq(examples.ownerId, ownerId))
  return counted ?? { prompts: 0, chains: 0, variables: 0, suites: 0 }
}

export async function listTakenNames(
  db: Executor,
  { ownerId, names }: { ownerId: number; names: readonly string[] },
): Promise<string[]> {
  const lower = sql<string>`${asciiKey(variables.name)}`
  const wanted = names.map((name) => name.toLowerCase())
  const rows = await db
    .select({ name: lower })
    .from(variables)
    .where(and(eq(variables.ownerId, ownerId), inArray(lower, wanted)))
  return rows.map(({ name }) => name)
}

export async function lockExamples(tx: Transaction, ownerId: number): Promise<void> {
  for (const kind of LOCK_ORDER) {
    const { column, table, id } = RECORD[kind]
    await tx.execute(sql`
      select from ${table} where ${id} in (
        select ${column} from ${examples} where ${examples.ownerId} = ${ownerId}
      ) order by ${id} for update`)
  }
}

export async function listExamples(db: Executor, ownerId: number): Promise<Example[]> {
  const { rows } = await db.execute<{
    kind: ExampleKind
    id: number
    name: string
    isChanged: boolean
    isUsed: boolean
    usedBy: Dependant[]
  }>(sql`
    select all_kinds.* from (
      ${promptsOf(ownerId)} union all ${chainsOf(ownerId)} union all ${variablesOf(ownerId)} union all ${suitesOf(ownerId)}
    ) as all_kinds order by kind, id`)
  return rows
}

function selectKind({
  kind,
  ownerId,
  name,
  revision,
  note = sql`false`,
  uses,
  usedBy,
}: {
  kind: ExampleKind
  ownerId: number
  name: PgColumn
  revision: PgColumn
  note?: SQL
  uses: SQL[]
  usedBy: SQL[]
}): SQL {
  const { column, table, id } = RECORD[kind]
  const none = sql`false`
  const isUsed = uses.length === 0 ? none : sql.join(uses, sql` or `)
  const dependants =
    usedBy.length === 0
      ? sql`'[]'::jsonb`
      : sql`coalesce((select jsonb_agg(jsonb_build_object('kind', used.kind, 'id', used.id)) from (${sql.join(usedBy, sql` union `)}) as used), '[]'::jsonb)`
  return sql`
    select ${sql.raw(`'${kind}'`)}::text as kind, ${id} as id, ${name} as name,
      (${revision} > 1 or ${note}) as "isChanged", (${isUsed}) as "isUsed", ${dependants} as "usedBy"
    from ${examples} inner join ${table} on ${id} = ${column}
    where ${examples.ownerId} = ${ownerId}`
}

const refersTo = (column: PgColumn, id: PgColumn) =>
  sql`exists (select from ${column.table} where ${column} = ${id})`

function promptsOf(ownerId: number): SQL {
  const { id } = prompts
  return selectKind({
    kind: 'prompt',
    ownerId,
    name: prompts.title,
    revision: prompts.revision,
    note: sql`exists (select from ${promptVersions} where ${promptVersions.promptId} = ${id} and ${promptVersions.note} <> '')`,
    uses: [promptShares.recordId, promptGroupShares.recordId, promptLabels.recordId]
      .map((column) => refersTo(column, id))
      .concat(
        isNamedByTokens('prompt', id),
        sql`exists (select from ${promptNames} where ${promptNames.recordId} = ${id} and ${promptNames.isAlias})`,
      ),
    usedBy: [
      sql`select 'chain' as kind, ${chainSteps.chainId} as id from ${chainSteps} where ${chainSteps.promptId} = ${id}`,
      sql`select 'suite' as kind, ${testSuites.id} as id from ${testSuites} where ${testSuites.promptId} = ${id}`,
    ],
  })
}

function chainsOf(ownerId: number): SQL {
  const { id } = chains
  return selectKind({
    kind: 'chain',
    ownerId,
    name: chains.name,
    revision: chains.revision,
    note: sql`exists (select from ${chainVersions} where ${chainVersions.chainId} = ${id} and ${chainVersions.note} <> '')`,
    uses: [scheduledRuns.chainId, chainShares.recordId, chainGroupShares.recordId, chainLabels.recordId]
      .map((column) => refersTo(column, id))
      .concat(isNamedByTokens('chain', id)),
    usedBy: [
      sql`select 'suite' as kind, ${testSuites.id} as id from ${testSuites} where ${testSuites.chainId} = ${id}`,
    ],
  })
}

function variablesOf(ownerId: number): SQL {
  const refers = (names: PgColumn) => sql`${names} @> array[${asciiKey(variables.name)}]`
  return selectKind({
    kind: 'variable',
    ownerId,
    name: variables.name,
    revision: variables.revision,
    uses: [],
    usedBy: [
      sql`select 'prompt' as kind, ${prompts.id} as id from ${prompts}
        where ${prompts.ownerId} = ${ownerId} and ${refers(prompts.referenceNames)}`,
      sql`select 'chain' as kind, ${chains.id} as id from ${chainSteps}
        inner join ${chains} on ${chains.id} = ${chainSteps.chainId}
        where ${chains.ownerId} = ${ownerId} and ${refers(chainSteps.referenceNames)}`,
    ],
  })
}

function suitesOf(ownerId: number): SQL {
  return selectKind({
    kind: 'suite',
    ownerId,
    name: testSuites.name,
    revision: testSuites.revision,
    uses: [],
    usedBy: [],
  })
}
