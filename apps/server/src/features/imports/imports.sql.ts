import { type ImportFormat, nameKey } from '@catenary/contracts'
import type { LossDraft } from '@catenary/domain/imports'
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import {
  categories,
  chainSteps,
  evaluations,
  importedChains,
  importedPrompts,
  importedSuites,
  imports,
  promptGroupShares,
  promptLabels,
  promptNames,
  promptShares,
  prompts,
  testCases,
  testSuites,
  users,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { promptTagList } from '../../database/statements/record-columns.ts'
import { isNamedByTokens } from '../../database/statements/token-scopes.ts'
import type { Candidate } from './imports.policy.ts'

const RECENT = 10

const candidate = {
  id: prompts.id,
  title: prompts.title,
  contentHash: sql<string>`encode(sha256(convert_to(${prompts.content}, 'UTF8')), 'hex')`,
  settings: prompts.settings,
  category: categories.name,
  tags: promptTagList,
  isActive: prompts.isActive,
  version: prompts.version,
  updatedAt: prompts.updatedAt,
  aliases: sql<string[]>`array(
    select ${promptNames.name} from ${promptNames} where ${promptNames.recordId} = ${prompts.id} and ${promptNames.isAlias})`,
}

/** Imports of one person run one at a time. */
export async function lockImporter(tx: Transaction, ownerId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')
}

interface Wanted {
  ownerId: number
  titles: readonly string[]
  aliases: readonly string[]
  slugs: readonly string[]
  hashes: readonly string[]
}

const inCategory = eq(categories.id, prompts.categoryId)

export async function findCandidates(db: Executor, { ownerId, titles, aliases, slugs, hashes }: Wanted) {
  const isOwn = eq(prompts.ownerId, ownerId)
  const wanted = new Set(titles.map(nameKey))
  const own = await db.select({ id: prompts.id, title: prompts.title }).from(prompts).where(isOwn)
  const namedIds = own.flatMap(({ id, title }) => (wanted.has(nameKey(title)) ? [id] : []))
  const named = await db
    .select(candidate)
    .from(prompts)
    .innerJoin(categories, inCategory)
    .where(and(isOwn, sql`${prompts.id} = any(${sql.param(namedIds)}::integer[])`))
    .orderBy(prompts.id)
  const listNamed = ({ isAlias, names }: { isAlias: boolean; names: readonly string[] }) =>
    db
      .select({ ...candidate, name: promptNames.name })
      .from(promptNames)
      .innerJoin(prompts, eq(prompts.id, promptNames.recordId))
      .innerJoin(categories, inCategory)
      .where(
        and(
          isOwn,
          eq(promptNames.isAlias, isAlias),
          sql`${promptNames.name} = any(${sql.param([...names])}::text[])`,
        ),
      )
  const called = await listNamed({ isAlias: true, names: aliases })
  const addressed = await listNamed({ isAlias: false, names: slugs })
  const before = await db
    .select({ ...candidate, hash: importedPrompts.hash })
    .from(importedPrompts)
    .innerJoin(imports, eq(imports.id, importedPrompts.importId))
    .innerJoin(prompts, eq(prompts.id, importedPrompts.promptId))
    .innerJoin(categories, inCategory)
    .where(
      and(
        isOwn,
        eq(imports.ownerId, ownerId),
        sql`${importedPrompts.hash} = any(${sql.param([...hashes])}::text[])`,
      ),
    )
  return {
    byTitle: Map.groupBy(named, ({ title }): string => nameKey(title)),
    byAlias: new Map<string, Candidate>(called.map((row) => [row.name, row])),
    bySlug: new Map<string, Candidate>(addressed.map((row) => [row.name, row])),
    byHash: new Map<string, Candidate>(before.map((row) => [row.hash, row])),
  }
}

export async function readPromptSlugs(db: Executor, ids: readonly number[]): Promise<Map<number, string>> {
  const { id, slug } = prompts
  const rows = await db
    .select({ id, slug })
    .from(prompts)
    .where(sql`${id} = any(${sql.param([...ids])}::integer[])`)
  return new Map(rows.map((row) => [row.id, row.slug]))
}

interface NewImport {
  ownerId: number
  files: { name: string; format: ImportFormat | null; hash: string; isPushed?: true }[]
  losses: LossDraft[]
  kept: object[]
}

export async function insertImport(db: Executor, { kept, ...values }: NewImport): Promise<number> {
  const { files, losses } = values
  const bytes = Buffer.byteLength(JSON.stringify({ files, losses, kept }))
  const [created] = await db
    .insert(imports)
    .values({ ...values, bytes })
    .returning({ id: imports.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

const ROWS_MAX = 500

export async function insertImportedPrompts(
  db: Executor,
  rows: (typeof importedPrompts.$inferInsert)[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    await db.insert(importedPrompts).values(rows.slice(from, from + ROWS_MAX))
  }
}

const RECORDS = [importedPrompts, importedChains, importedSuites] as const
const countOf = (isMade: (made: PgColumn) => SQL) =>
  sql<number>`(${sql.join(
    RECORDS.map(
      (table) =>
        sql`(select count(*) from ${table} where ${table.importId} = ${imports.id} and ${isMade(table.made)})`,
    ),
    sql` + `,
  )})::integer`

const importColumns = {
  id: imports.id,
  files: imports.files,
  lossCount: sql<number>`jsonb_array_length(${imports.losses})`,
  made: countOf((made) => sql`${made} <> 'version'`),
  versions: countOf((made) => sql`${made} = 'version'`),
  undoneAt: imports.undoneAt,
  createdAt: imports.createdAt,
}
export type ImportRow = Awaited<ReturnType<typeof listRecentImports>>[number]

/** Without what was pushed from a command line: there is no import that a person sees. */
export function listRecentImports(db: Executor, ownerId: number) {
  return db
    .select(importColumns)
    .from(imports)
    .where(and(eq(imports.ownerId, ownerId), sql`not ${imports.files} @> '[{"isPushed": true}]'`))
    .orderBy(desc(imports.id))
    .limit(RECENT)
}

export async function findOptionalImport(db: Executor, { id, ownerId }: { id: number; ownerId: number }) {
  const [found] = await db
    .select({ ...importColumns, losses: imports.losses })
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.ownerId, ownerId)))
  return found
}

export async function markUndone(db: Executor, { id, kept }: { id: number; kept: number[] }): Promise<void> {
  await db.update(imports).set({ undoneAt: sql`now()` }).where(eq(imports.id, id))
  const { importId, promptId } = importedPrompts
  const gone = kept.length === 0 ? sql`true` : sql`not (${inArray(promptId, kept)})`
  await db.delete(importedPrompts).where(and(eq(importId, id), gone))
}

const refers = (column: PgColumn, more: SQL = sql`true`) =>
  sql`exists (select from ${column.table} where ${column} = ${prompts.id} and ${more})`

export async function lockImported(tx: Transaction, id: number) {
  await tx.execute(sql`
    select from ${prompts} where ${prompts.id} in (
      select ${importedPrompts.promptId} from ${importedPrompts} where ${importedPrompts.importId} = ${id}
    ) order by ${prompts.id} for update`)
  const later = (column: PgColumn) => sql`${column} > ${imports.createdAt}`
  const ownSuite = sql`${testSuites.createdAt} > ${imports.createdAt} or ${testSuites.revision} > 1
    or exists (select from ${testCases} where ${testCases.suiteId} = ${testSuites.id} and ${testCases.revision} > 1)`
  // A label that came with the import is none that somebody set.
  const isLabelled = sql`case when ${importedPrompts.made} = 'version' then ${promptLabels.version} = ${importedPrompts.version}
    else ${promptLabels.movedAt} > ${imports.createdAt} end`
  return tx
    .select({
      promptId: prompts.id,
      name: prompts.title,
      made: importedPrompts.made,
      version: importedPrompts.version,
      isChanged: sql<boolean>`${prompts.revision} <> ${importedPrompts.revision}`,
      isLabelled: sql<boolean>`${refers(promptLabels.recordId, isLabelled)}`,
      isUsed: sql<boolean>`(${sql.join(
        [
          isNamedByTokens('prompt', prompts.id),
          refers(promptShares.recordId),
          refers(promptGroupShares.recordId),
          refers(chainSteps.promptId),
          refers(evaluations.promptId),
          refers(promptNames.recordId, sql`${promptNames.isAlias} and ${later(promptNames.createdAt)}`),
          refers(testSuites.promptId, sql`(${ownSuite})`),
        ],
        sql` or `,
      )})`,
    })
    .from(importedPrompts)
    .innerJoin(imports, eq(imports.id, importedPrompts.importId))
    .innerJoin(prompts, eq(prompts.id, importedPrompts.promptId))
    .where(and(eq(imports.id, id), isNull(imports.undoneAt)))
    .orderBy(prompts.id)
}
