import type { AllowedCall, SealedStep, User } from '@catenary/contracts'
import { isSameCall, sealedPartsOf } from '@catenary/domain'
import type { Transaction } from '../../../database/statements/executor.ts'
import { AppError } from '../../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { findVisible, openForChange } from '../chain-access.ts'
import { findOptionalStep } from '../chain-steps.sql.ts'
import { findSealedStep, writeAllowedCall } from './step-secrets.sql.ts'

interface Wanted {
  id: number
  stepId: number
  user: User
}

export function readSealedStep(ctx: Context, wanted: Wanted): Promise<SealedStep> {
  return transaction(ctx, async (ctx) => {
    const { ownerId } = await findVisible(ctx, wanted)
    return show(ctx, { ...wanted, isOwner: ownerId === wanted.user.id })
  })
}

/** What waits for the owner goes out from now on. */
export function allowCall(
  ctx: Context,
  { revision, ...wanted }: Wanted & { revision: number },
): Promise<SealedStep> {
  return transaction(ctx, async (ctx) => {
    const { id, stepId, user } = wanted
    const { ownerId } = await openForChange(ctx, { id, user, revision })
    if (ownerId !== user.id)
      throw new AppError('forbidden', 'Only the owner of the chain allows what goes out with a sealed value')
    const { call, allowed } = await find(ctx, wanted)
    if (allowed !== null && !isSameCall(allowed, call)) {
      await writeAllowedCall(ctx.db, { stepId, call, allowedAt: ctx.now() })
      await recordActivity(ctx, { kind: 'chain.call_allowed', object: 'chain', id, ownerId })
    }
    return show(ctx, { ...wanted, isOwner: true })
  })
}

async function find({ db }: SqlContext<Transaction>, { id, stepId }: Wanted) {
  const step = await findOptionalStep(db, { id: stepId, chainId: id })
  const sealed = await findSealedStep(db, stepId)
  if (step === undefined || sealed === undefined) throw new AppError('not_found', 'Step not found')
  const { tool, forEach = null } = step
  if (!tool) throw new AppError('conflict', 'This step calls no service')
  const call: AllowedCall = { tool, forEach }
  return { ...sealed, call }
}

async function show(
  ctx: SqlContext<Transaction>,
  { isOwner, ...wanted }: Wanted & { isOwner: boolean },
): Promise<SealedStep> {
  const { call, allowed, owner, secrets } = await find(ctx, wanted)
  const set = new Map(secrets.map(({ part, setAt }) => [part, new Date(setAt).toISOString()]))
  const rests = allowed !== null && !isSameCall(allowed, call)
  return {
    owner,
    parts: sealedPartsOf(call.tool).parts.map(({ part, kind, name }) => ({
      kind,
      name,
      setAt: set.get(part) ?? null,
    })),
    rests,
    allowed: rests && isOwner ? allowed : null,
  }
}
