import { and, desc, eq, sql } from 'drizzle-orm'
import {
  apiTokens,
  apiTokenUses,
  chainSteps,
  chains,
  examples,
  prompts,
  runs,
  users,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

/** How many of a person's newest runs are searched: people with more need no first steps. */
const RUNS_READ = 1_000

export async function findEnd(db: Executor, userId: number): Promise<boolean> {
  const [found] = await db
    .select({ isOver: sql<boolean>`${users.firstStepsEndedAt} is not null` })
    .from(users)
    .where(eq(users.id, userId))
  return found?.isOver ?? true
}

export async function saveEnd(db: Executor, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ firstStepsEndedAt: sql`coalesce(${users.firstStepsEndedAt}, now())` })
    .where(eq(users.id, userId))
}

export async function findRuns(db: Executor, userId: number) {
  const newest = db
    .select({ kind: runs.kind, trigger: runs.trigger, status: runs.status })
    .from(runs)
    .where(eq(runs.userId, userId))
    .orderBy(desc(runs.id))
    .limit(RUNS_READ)
    .as('newest')
  const any = (condition: ReturnType<typeof sql>) => sql<boolean>`coalesce(bool_or(${condition}), false)`
  const isManual = sql`${newest.trigger} = 'manual' and ${newest.status} = 'completed'`
  const [found] = await db
    .select({
      prompt: any(sql`${newest.kind} = 'prompt' and ${isManual}`),
      chain: any(sql`${newest.kind} = 'chain' and ${isManual}`),
      code: any(sql`${newest.trigger} = 'token'`),
    })
    .from(newest)
  return found ?? { prompt: false, chain: false, code: false }
}

export async function hasUsedToken(db: Executor, userId: number): Promise<boolean> {
  const found = await db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .innerJoin(apiTokenUses, eq(apiTokenUses.apiTokenId, apiTokens.id))
    .where(eq(apiTokens.createdBy, userId))
    .limit(1)
  return found.length > 0
}

export async function hasOwnChain(db: Executor, userId: number): Promise<boolean> {
  const isExample = sql`${chains.revision} = 1 and exists (select from ${examples} where ${examples.chainId} = ${chains.id})`
  const steps = sql`(select count(*) from ${chainSteps} where ${chainSteps.chainId} = ${chains.id})`
  const found = await db
    .select({ id: chains.id })
    .from(chains)
    .where(and(eq(chains.ownerId, userId), sql`not (${isExample})`, sql`${steps} >= 2`))
    .limit(1)
  return found.length > 0
}

export async function findNewestPromptId(db: Executor, userId: number): Promise<number | null> {
  const [found] = await db
    .select({ id: prompts.id })
    .from(prompts)
    .where(and(eq(prompts.ownerId, userId), prompts.isActive))
    .orderBy(desc(prompts.updatedAt), desc(prompts.id))
    .limit(1)
  return found?.id ?? null
}

export async function findNewestChainId(db: Executor, userId: number): Promise<number | null> {
  const [found] = await db
    .select({ id: chains.id })
    .from(chains)
    .where(eq(chains.ownerId, userId))
    .orderBy(desc(chains.updatedAt), desc(chains.id))
    .limit(1)
  return found?.id ?? null
}
