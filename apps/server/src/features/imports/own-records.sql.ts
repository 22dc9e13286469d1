import { and, eq, sql } from 'drizzle-orm'
import {
  chainNames,
  chains,
  models,
  promptLabels,
  promptNames,
  prompts,
  promptVersions,
  protectedLabels,
  testSuites,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { meantFirst } from '../../database/statements/named-rows.ts'
import { promptsVisibleTo } from '../../database/statements/visible-rows.ts'

const isAmong = (column: unknown, texts: readonly string[]) =>
  sql`${column} = any(${sql.param([...texts])}::text[])`

export async function findOwnChains(
  db: Executor,
  { ownerId, slugs }: { ownerId: number; slugs: readonly string[] },
) {
  const { id, version, revision } = chains
  const rows = await db
    .select({ named: chainNames.name, slug: chains.slug, id, version, revision })
    .from(chainNames)
    .innerJoin(chains, eq(chains.id, chainNames.recordId))
    .where(and(eq(chains.ownerId, ownerId), isAmong(chainNames.name, slugs)))
  return new Map(rows.map(({ named, ...row }) => [named, row]))
}

export async function findOwnPrompts(
  db: Executor,
  { ownerId, slugs }: { ownerId: number; slugs: readonly string[] },
): Promise<Map<string, number>> {
  const rows = await db
    .select({ slug: promptNames.name, id: prompts.id })
    .from(promptNames)
    .innerJoin(prompts, eq(prompts.id, promptNames.recordId))
    .where(and(eq(prompts.ownerId, ownerId), isAmong(promptNames.name, slugs)))
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

export interface Linkable {
  id: number
  labels: string[]
  versions: number[]
}

export async function findLinkable(
  db: Executor,
  wanted: { userId: number; slugs: readonly string[]; versions: readonly number[] },
): Promise<Map<string, Linkable>> {
  const { userId, slugs, versions } = wanted
  const rows = await db
    .select({
      named: promptNames.name,
      id: prompts.id,
      labels: sql<
        string[]
      >`array(select ${promptLabels.label} from ${promptLabels} where ${promptLabels.recordId} = ${prompts.id})`,
      versions: sql<number[]>`array(
        select ${promptVersions.number} from ${promptVersions}
        where ${promptVersions.promptId} = ${prompts.id} and ${promptVersions.number} = any(${sql.param([...versions])}::integer[])
      )`,
    })
    .from(promptNames)
    .innerJoin(prompts, eq(prompts.id, promptNames.recordId))
    .where(and(promptsVisibleTo(userId), isAmong(promptNames.name, slugs)))
    .orderBy(meantFirst('prompt', userId))
  // The first of a name is meant.
  return new Map(rows.toReversed().map(({ named, ...row }) => [named, row]))
}

export async function listModelNames(db: Executor, slugs: readonly string[]): Promise<string[]> {
  if (slugs.length === 0) return []
  const called = await db.select({ slug: models.alias }).from(models).where(isAmong(models.alias, slugs))
  return called.map(({ slug }) => slug)
}

export async function readSuiteRevisions(db: Executor, ids: readonly number[]): Promise<Map<number, number>> {
  const { id, revision } = testSuites
  const rows = await db
    .select({ id, revision })
    .from(testSuites)
    .where(sql`${id} = any(${sql.param([...ids])}::integer[])`)
  return new Map(rows.map((row) => [row.id, row.revision]))
}

export async function listProtected(db: Executor): Promise<Set<string>> {
  const rows = await db.select({ label: protectedLabels.label }).from(protectedLabels)
  return new Set(rows.map(({ label }) => label))
}
