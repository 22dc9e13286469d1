import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import {
  chainGroupShares,
  chainLabels,
  chainShares,
  chains,
  evaluations,
  importedChains,
  importedPrompts,
  importedSuites,
  imports,
  prompts,
  runs,
  scheduledRuns,
  testCases,
  testSuites,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { isNamedByTokens } from '../../database/statements/token-scopes.ts'

interface Left {
  made: 'new' | 'version' | 'copy'
  revision: number
}

const ROWS_MAX = 500

export async function insertImportedChains(
  db: Executor,
  { id: importId, chains }: { id: number; chains: readonly (Left & { chainId: number; version: number })[] },
): Promise<void> {
  for (let from = 0; from < chains.length; from += ROWS_MAX) {
    const rows = chains.slice(from, from + ROWS_MAX).map(({ made, chainId, revision, version }) => {
      return { importId, made, chainId, revision, version }
    })
    await db.insert(importedChains).values(rows)
  }
}

export async function insertImportedSuites(
  db: Executor,
  {
    id: importId,
    suites,
  }: {
    id: number
    suites: readonly (Left & { suiteId: number; before: typeof importedSuites.$inferInsert.before })[]
  },
): Promise<void> {
  for (const { made, suiteId, revision, before } of suites) {
    await db.insert(importedSuites).values({ importId, made, suiteId, revision, before })
  }
}

/** Notes that the earlier import left the restored records as they are now, so that it can be undone too. */
export async function returnToEarlierImports(
  tx: Transaction,
  {
    id,
    prompts: restored,
    chains: restoredChains,
    suites,
  }: Record<'prompts' | 'chains' | 'suites', number[]> & { id: number },
): Promise<void> {
  const kinds = [
    { rows: importedPrompts, name: 'prompt_id', record: prompts, ids: restored },
    { rows: importedChains, name: 'chain_id', record: chains, ids: restoredChains },
    { rows: importedSuites, name: 'suite_id', record: testSuites, ids: suites },
  ]
  for (const { rows, name, record, ids } of kinds) {
    if (ids.length === 0) continue
    const of = sql.identifier(name)
    await tx.execute(sql`
      update ${rows} as earlier set revision = now.revision
      from ${rows} as undone join ${record} as now on now.id = undone.${of}
      where undone.import_id = ${id} and undone.${of} = any(${sql.param(ids)}::integer[])
        and earlier.${of} = undone.${of} and earlier.import_id <> ${id} and earlier.revision = undone.revision - 1`)
  }
}

const refers = (column: PgColumn, id: PgColumn) =>
  sql`exists (select from ${column.table} where ${column} = ${id})`
const anyOf = (uses: SQL[]) => sql<boolean>`(${sql.join(uses, sql` or `)})`

export async function lockImportedChains(tx: Transaction, id: number) {
  await tx.execute(sql`
    select from ${chains} where ${chains.id} in (
      select ${importedChains.chainId} from ${importedChains} where ${importedChains.importId} = ${id}
    ) order by ${chains.id} for update`)
  const isLabelled = sql`(${importedChains.made} <> 'version' or ${chainLabels.version} = ${importedChains.version})`
  return tx
    .select({
      chainId: chains.id,
      name: chains.name,
      made: importedChains.made,
      version: importedChains.version,
      isChanged: sql<boolean>`${chains.revision} <> ${importedChains.revision}`,
      isLabelled: sql<boolean>`exists (select from ${chainLabels} where ${chainLabels.recordId} = ${chains.id} and ${isLabelled})`,
      isUsed: anyOf(
        [
          scheduledRuns.chainId,
          chainShares.recordId,
          chainGroupShares.recordId,
          evaluations.chainId,
          runs.chainId,
        ]
          .map((column) => refers(column, chains.id))
          .concat(isNamedByTokens('chain', chains.id)),
      ),
    })
    .from(importedChains)
    .innerJoin(imports, eq(imports.id, importedChains.importId))
    .innerJoin(chains, eq(chains.id, importedChains.chainId))
    .where(and(eq(imports.id, id), isNull(imports.undoneAt)))
    .orderBy(chains.id)
}

export async function lockImportedSuites(tx: Transaction, id: number) {
  await tx.execute(sql`
    select from ${testSuites} where ${testSuites.id} in (
      select ${importedSuites.suiteId} from ${importedSuites} where ${importedSuites.importId} = ${id}
    ) order by ${testSuites.id} for update`)
  const isEdited = sql`exists (select from ${testCases} where ${testCases.suiteId} = ${testSuites.id} and ${testCases.revision} > 1)`
  return tx
    .select({
      suiteId: testSuites.id,
      name: testSuites.name,
      made: importedSuites.made,
      before: importedSuites.before,
      isChanged: sql<boolean>`(${testSuites.revision} <> ${importedSuites.revision} or ${isEdited})`,
      isUsed: refers(evaluations.suiteId, testSuites.id) as SQL<boolean>,
    })
    .from(importedSuites)
    .innerJoin(imports, eq(imports.id, importedSuites.importId))
    .innerJoin(testSuites, eq(testSuites.id, importedSuites.suiteId))
    .where(and(eq(imports.id, id), isNull(imports.undoneAt)))
    .orderBy(testSuites.id)
}
