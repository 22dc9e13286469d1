import type { AllowedCall } from '@catenary/contracts'
import { and, eq, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { allowedCalls, chainSteps, chains, stepSecrets, users } from '../../../database/schema/index.ts'
import type { Executor, Transaction } from '../../../database/statements/executor.ts'
import { sealedColumn } from '../../../database/statements/sealed-columns.ts'

export interface SecretPlace {
  stepId: number
  part: string
  origin: string
  method: string
}

/** A value is sealed for one step and part, one origin and one method: nothing else can open it. */
export const contextOf = ({ stepId, part, origin, method }: SecretPlace): string =>
  JSON.stringify(['step secret', stepId, part, origin, method])

export const sealedStepSecrets = sealedColumn({
  what: 'sealed parts of steps',
  id: stepSecrets.id,
  column: stepSecrets.sealed,
  beside: {
    stepId: stepSecrets.stepId,
    part: stepSecrets.part,
    origin: stepSecrets.origin,
    method: stepSecrets.method,
  },
  contextOf,
})

interface StepSecret extends SecretPlace {
  sealed: string
  setBy: number | null
  setAt: string
}

export interface SealedStep {
  chainId: number
  ownerId: number
  owner: string
  secrets: StepSecret[]
  /** As the owner last wrote or allowed it; null: nothing of it is sealed. */
  allowed: AllowedCall | null
}

/** In one statement: what was allowed is never that of another moment than the values. */
export async function findSealedStep(db: Executor, stepId: number): Promise<SealedStep | undefined> {
  const [found] = await db
    .select({
      chainId: chains.id,
      ownerId: chains.ownerId,
      owner: users.displayUsername,
      allowed: allowedCalls.call,
      secrets: sql<StepSecret[]>`(
        select coalesce(json_agg(json_build_object(
          'stepId', ${stepSecrets.stepId}, 'part', ${stepSecrets.part}, 'origin', ${stepSecrets.origin},
          'method', ${stepSecrets.method}, 'sealed', ${stepSecrets.sealed}, 'setBy', ${stepSecrets.setBy},
          'setAt', ${stepSecrets.setAt}
        ) order by ${stepSecrets.part}), '[]')
        from ${stepSecrets} where ${stepSecrets.stepId} = ${chainSteps.id}
      )`,
    })
    .from(chainSteps)
    .innerJoin(chains, eq(chains.id, chainSteps.chainId))
    .innerJoin(users, eq(users.id, chains.ownerId))
    .leftJoin(allowedCalls, eq(allowedCalls.stepId, chainSteps.id))
    .where(eq(chainSteps.id, stepId))
  return found
}

export interface NewSecret extends SecretPlace {
  sealed: string
  setBy: number
  setAt: Date
}

export async function writeSecrets(tx: Transaction, secrets: NewSecret[]): Promise<void> {
  for (const { stepId, part, ...fields } of secrets) {
    await tx
      .insert(stepSecrets)
      .values({ stepId, part, ...fields })
      .onConflictDoUpdate({ target: [stepSecrets.stepId, stepSecrets.part], set: fields })
  }
}

interface Kept extends Pick<SecretPlace, 'stepId' | 'origin' | 'method'> {
  parts: readonly string[]
}

/** Ends what is of another origin or method, or of no part of the step; how many are left. */
export async function endOtherSecrets(
  tx: Transaction,
  { stepId, origin, method, parts }: Kept,
): Promise<number> {
  const isOther = or(
    sql`${stepSecrets.origin} <> ${origin}`,
    sql`${stepSecrets.method} <> ${method}`,
    notInArray(stepSecrets.part, [...parts]),
  )
  await tx.delete(stepSecrets).where(and(eq(stepSecrets.stepId, stepId), isOther))
  return tx.$count(stepSecrets, eq(stepSecrets.stepId, stepId))
}

export async function endSecrets(tx: Transaction, stepId: number): Promise<void> {
  await tx.delete(stepSecrets).where(eq(stepSecrets.stepId, stepId))
  await endAllowedCall(tx, stepId)
}

export async function endSecretsOfChain(tx: Transaction, chainId: number): Promise<void> {
  const ofChain: SQL = sql`(select ${chainSteps.id} from ${chainSteps} where ${chainSteps.chainId} = ${chainId})`
  await tx.delete(stepSecrets).where(inArray(stepSecrets.stepId, ofChain))
  await tx.delete(allowedCalls).where(inArray(allowedCalls.stepId, ofChain))
}

export async function writeAllowedCall(
  tx: Transaction,
  { stepId, ...fields }: { stepId: number; call: AllowedCall; allowedAt: Date },
): Promise<void> {
  await tx
    .insert(allowedCalls)
    .values({ stepId, ...fields })
    .onConflictDoUpdate({ target: allowedCalls.stepId, set: fields })
}

async function endAllowedCall(tx: Transaction, stepId: number): Promise<void> {
  await tx.delete(allowedCalls).where(eq(allowedCalls.stepId, stepId))
}
