import type { StepTool, User, WrittenTool } from '@catenary/contracts'
import {
  type CallingStep,
  findSealedFault,
  isSameCall,
  type SentSecret,
  sealedPartsOf,
  splitSealed,
} from '@catenary/domain'
import type { Transaction } from '../../../database/statements/executor.ts'
import { fieldError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import {
  contextOf,
  endOtherSecrets,
  endSecrets,
  findSealedStep,
  writeAllowedCall,
  writeSecrets,
} from './step-secrets.sql.ts'

interface Written {
  tool?: WrittenTool | null | undefined
}

type Kept<Fields extends Written> = Omit<Fields, 'tool'> & { tool?: StepTool | null | undefined }

export type Values = ReadonlyMap<string, SentSecret>

/** The fields of a step as they are kept, and apart from them the values of its sealed parts. Throws `invalid`. */
export function splitValues<Fields extends Written>(
  fields: Fields,
): { fields: Kept<Fields>; values: Values } {
  if (!fields.tool) return { fields: fields as Kept<Fields>, values: new Map() }
  const { tool, values } = splitSealed(fields.tool)
  for (const [part, { path, value }] of values) {
    const fault = findSealedFault(part, value)
    if (fault !== undefined) throw fieldError(path, fault)
  }
  return { fields: { ...fields, tool }, values }
}

interface Saved {
  chain: { ownerId: number }
  stepId: number
  /** As it stood; absent: it is new. */
  before?: CallingStep
  after: CallingStep
  /** What of these the person sent, and so has seen. */
  sent: { tool?: unknown; forEach?: unknown }
  /** Of its sealed parts, what was sent of them. */
  values: Values
  user: User
}

/**
 * Ends each step’s save: values are kept for the parts that it has, at its origin and by its method, and end with these
 * (D24). What the owner of the chain saves is allowed by that; what another changes waits for the owner.
 */
export async function keepSecrets(
  ctx: Context<Transaction>,
  { chain, stepId, before, after, sent, values, user }: Saved,
): Promise<void> {
  const { db, secrets, now } = ctx
  requireOwner({ chain, values, user })
  const { tool } = after
  if (!tool) return endSecrets(db, stepId)
  const { origin, method, parts } = sealedPartsOf(tool)
  if (parts.length === 0) return endSecrets(db, stepId)
  const stood = await findSealedStep(db, stepId)
  const left = await endOtherSecrets(db, { stepId, origin, method, parts: parts.map(({ part }) => part) })
  const setAt = now()
  const given = parts.flatMap(({ part }) => {
    const { value } = values.get(part) ?? {}
    if (value === undefined) return []
    const place = { stepId, part, origin, method }
    return [
      { ...place, sealed: secrets.seal({ text: value, context: contextOf(place) }), setBy: user.id, setAt },
    ]
  })
  await writeSecrets(db, given)
  if (left + given.length === 0) return endSecrets(db, stepId)
  if (user.id !== chain.ownerId) return
  const allowed = stood?.allowed ?? undefined
  const isSeen = sent.tool != null && (sent.forEach !== undefined || hasListOf(allowed, after))
  const rested = allowed && before && !isSameCall(allowed, before)
  if (!rested || isSeen)
    await writeAllowedCall(db, { stepId, call: { tool, forEach: after.forEach ?? null }, allowedAt: setAt })
}

const hasListOf = (allowed: CallingStep | undefined, after: CallingStep): boolean =>
  isSameCall({ ...after, forEach: allowed?.forEach }, after)

/** Administrators too: a credential acts in the name of whoever set it. */
function requireOwner({ chain, values, user }: Pick<Saved, 'chain' | 'values' | 'user'>): void {
  const [first] = values.values()
  if (first === undefined || user.id === chain.ownerId) return
  throw fieldError(first.path, 'Only the owner of the chain sets a sealed value', 'forbidden')
}
