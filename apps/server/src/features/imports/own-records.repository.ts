import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import {
  chainSlugs,
  chains,
  models,
  promptLabels,
  promptSlugs,
  prompts,
  promptVersions,
  protectedLabels,
  testSuites,
} from '../../db/schema/index.ts'
import { promptsVisibleTo } from '../../db/sql/visible-rows.ts'

const isAmong = (column: unknown, texts: readonly string[]) =>
  sql`${column} = any(${sql.param([...texts])}::text[])`

/** Chains of the person by the slugs that they have or had. */
export async function findOwnChains(
  executor: Executor,
  { ownerId, slugs }: { ownerId: number; slugs: readonly string[] },
) {
  const { id, version, revision } = chains
  const rows = await executor
    .select({ named: chainSlugs.slug, slug: chains.slug, id, version, revision })
    .from(chainSlugs)
    .innerJoin(chains, eq(chains.id, chainSlugs.recordId))
    .where(and(eq(chains.ownerId, ownerId), isAmong(chainSlugs.slug, slugs)))
  return new Map(rows.map(({ named, ...row }) => [named, row]))
}

/** Ids of prompts of the person by the slugs that they have or had. */
export async function findOwnPrompts(
  executor: Executor,
  { ownerId, slugs }: { ownerId: number; slugs: readonly string[] },
): Promise<Map<string, number>> {
  const rows = await executor
    .select({ slug: promptSlugs.slug, id: prompts.id })
    .from(promptSlugs)
    .innerJoin(prompts, eq(prompts.id, promptSlugs.recordId))
    .where(and(eq(prompts.ownerId, ownerId), isAmong(promptSlugs.slug, slugs)))
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** A prompt that a step may be linked to, with what a link may ask of it. */
export interface Linkable {
  id: number
  labels: string[]
  versions: number[]
}

/** Prompts that the person sees by the slugs that they have or had. */
export async function findLinkable(
  executor: Executor,
  wanted: { userId: number; slugs: readonly string[]; versions: readonly number[] },
): Promise<Map<string, Linkable>> {
  const { userId, slugs, versions } = wanted
  const rows = await executor
    .select({
      named: promptSlugs.slug,
      id: prompts.id,
      labels: sql<
        string[]
      >`array(select ${promptLabels.label} from ${promptLabels} where ${promptLabels.recordId} = ${prompts.id})`,
      versions: sql<number[]>`array(
        select ${promptVersions.number} from ${promptVersions}
        where ${promptVersions.promptId} = ${prompts.id} and ${promptVersions.number} = any(${sql.param([...versions])}::integer[])
      )`,
    })
    .from(promptSlugs)
    .innerJoin(prompts, eq(prompts.id, promptSlugs.recordId))
    .where(and(promptsVisibleTo(userId), isAmong(promptSlugs.slug, slugs)))
  return new Map(rows.map(({ named, ...row }) => [named, row]))
}

/** Those of the slugs that a record of another person has or had, or that a model is called. */
export async function listTakenSlugs(
  executor: Executor,
  { kind, ownerId, slugs }: { kind: 'prompt' | 'chain'; ownerId: number; slugs: readonly string[] },
): Promise<string[]> {
  if (slugs.length === 0) return []
  const table = kind === 'prompt' ? promptSlugs : chainSlugs
  const records = kind === 'prompt' ? prompts : chains
  const taken = await executor
    .select({ slug: table.slug })
    .from(table)
    .innerJoin(records, eq(records.id, table.recordId))
    .where(and(isAmong(table.slug, slugs), sql`${records.ownerId} <> ${ownerId}`))
  const called = await executor
    .select({ slug: models.alias })
    .from(models)
    .where(isAmong(models.alias, slugs))
  return [...taken, ...called].map(({ slug }) => slug)
}

/** The revisions of the suites. */
export async function readSuiteRevisions(
  executor: Executor,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { id, revision } = testSuites
  const rows = await executor
    .select({ id, revision })
    .from(testSuites)
    .where(sql`${id} = any(${sql.param([...ids])}::integer[])`)
  return new Map(rows.map((row) => [row.id, row.revision]))
}

/** The labels that only some people move. */
export async function listProtected(executor: Executor): Promise<Set<string>> {
  const rows = await executor.select({ label: protectedLabels.label }).from(protectedLabels)
  return new Set(rows.map(({ label }) => label))
}
