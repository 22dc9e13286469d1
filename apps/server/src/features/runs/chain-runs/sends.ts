import { KIND_OF_STEP, type User, VALUE_WOULD_LEAVE } from '@catenary/contracts'
import { extractVariables, flowTemplate, goesByValue, outputsBefore, stepTitle } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { isWrittenAlone } from '../../chains/chains.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import { kindOf, type PlannedStep } from '../engine/planned-step.ts'
import { ToolFailedError, ValueWouldLeaveError } from '../engine/run-ending.ts'
import type { ChainPlan } from './chain-plan.ts'
import { KIND_IN_RUN } from './kinds/kinds.ts'
import { saveSends } from './sends.sql.ts'

/** Whether a step takes values anywhere but to a model; a test gives the answers of such steps. */
export const sendsOut = (step: PlannedStep): boolean =>
  step.given === undefined && KIND_IN_RUN[kindOf(step)].destination !== undefined

export async function destinationOf(
  ctx: Context,
  sent: { chainId: number; step: PlannedStep },
): Promise<string> {
  const { destination } = KIND_IN_RUN[kindOf(sent.step)]
  if (destination === undefined) throw new Error(`A step of kind ${kindOf(sent.step)} takes values nowhere`)
  return destination(ctx, sent)
}

/** From where on a run holds a private value of its runner's that is known beforehand; behind its last step: nowhere. */
export async function firstPrivate(
  ctx: Context,
  { plan, values, user }: { plan: PlannedStep[]; values: ReadonlyMap<string, string>; user: User },
): Promise<number> {
  const outputs = outputsBefore(plan)
  const named = plan.map((step, index) =>
    [
      KIND_IN_RUN[kindOf(step)].texts(step),
      flowTemplate({ onlyIf: step.onlyIf, forEach: step.forEach }, outputs[index]),
    ]
      .flatMap(extractVariables)
      .filter((name) => !values.has(name))
      .map((name) => name.toLowerCase()),
  )
  const names = [...new Set(named.flat())]
  if (names.length === 0) return plan.length
  const owned = new Set((await listPrivateNames(ctx, { names, user })).map((name) => name.toLowerCase()))
  const first = named.findIndex((each) => each.some((name) => owned.has(name)))
  return first === -1 ? plan.length : first
}

/** Where a person confirmed that their private values may go (D89); asked for only where a step takes them anywhere. */
export type Sends = readonly string[] | (() => Promise<readonly string[]>)

interface Sending {
  plan: PlannedStep[]
  values: ReadonlyMap<string, string>
  user: User
  chainId: number
}

/** Where a run begins, and whether what it took over has a private value. */
interface Beginning {
  position: number
  tookIn: boolean
}

export const isAlone = (
  { db }: Context,
  { plan, user, chainId }: Pick<Sending, 'plan' | 'user' | 'chainId'>,
) =>
  isWrittenAlone(db, { chainId, userId: user.id, promptIds: plan.flatMap(({ promptId }) => promptId ?? []) })

/**
 * The plan with where its private values may go. Throws `conflict` with the destinations that are known beforehand and were
 * not confirmed, where a person waits for the run.
 */
export async function planSends(
  ctx: Context,
  {
    sends: confirmed,
    isShown,
    from = { position: 0, tookIn: false },
    ...sending
  }: Sending & { sends: Sends; isShown: boolean; from?: Beginning },
): Promise<PlannedStep[]> {
  const { plan, chainId, user } = sending
  if (!plan.some(sendsOut)) return plan
  const findFirst = async () => Math.max(from.position, from.tookIn ? 0 : await firstPrivate(ctx, sending))
  if (isShown && plan.some(isOpen)) requireNoneOpen(plan.slice(await findFirst()))
  if (await isAlone(ctx, sending)) return plan
  const sends = await readSends(confirmed)
  if (isShown) {
    const first = await findFirst()
    const missing: string[] = []
    for (const step of plan.slice(first).filter(sendsOut)) {
      const destination = await destinationOf(ctx, { chainId, step })
      if (!sends.includes(destination)) missing.push(destination)
    }
    if (missing.length > 0) throw refused(missing)
    if (sends.length > 0) await saveSends(ctx.db, { userId: user.id, chainId, destinations: [...sends] })
  }
  return allowSends(plan, { chainId, allowed: sends })
}

/** What makes the plan of a run that goes on one that may go where it could, and to these destinations. */
export async function sendsOf(
  ctx: Context,
  { sends: confirmed, ...sending }: Omit<Sending, 'values'> & { sends: Sends },
): Promise<(plan: readonly PlannedStep[]) => PlannedStep[]> {
  const { plan, chainId } = sending
  if (!plan.some(sendsOut) || (await isAlone(ctx, sending))) return (steps) => [...steps]
  const sends = await readSends(confirmed)
  const before = plan.flatMap((step) => step.sends?.allowed ?? [])
  return (steps) => allowSends(steps, { chainId, allowed: [...before, ...sends] })
}

const readSends = async (sends: Sends): Promise<readonly string[]> =>
  typeof sends === 'function' ? sends() : sends

/** The same plan, with these destinations beside those that its steps have. */
function allowSends(
  plan: readonly PlannedStep[],
  { chainId, allowed }: { chainId: number; allowed: readonly string[] },
): PlannedStep[] {
  return plan.map((step) =>
    sendsOut(step)
      ? { ...step, sends: { chainId, allowed: [...new Set([...(step.sends?.allowed ?? []), ...allowed])] } }
      : step,
  )
}

/** Whether a value decides where a step takes values: nobody could confirm that. */
export const isOpen = (step: PlannedStep): boolean =>
  step.given === undefined && step.tool !== undefined && goesByValue(step.tool)

const BY_VALUE =
  'this run uses private values, so its emails go only to addresses that the step itself writes, to none that a reference stands for'

function requireNoneOpen(steps: readonly PlannedStep[]): void {
  const open = steps.find(isOpen)
  if (open === undefined) return
  throw new AppError('invalid', `Step ${open.position + 1}, ‘${stepTitle(open)}’, can’t run: ${BY_VALUE}`)
}

/** Throws before a step takes private values where its runner did not confirm that they may go. */
export async function requireMayGo(
  ctx: Context,
  { plan, step }: { plan: ChainPlan; step: PlannedStep },
): Promise<void> {
  const { sends } = step
  if (plan.privacy.tookIn && isOpen(step)) throw new ToolFailedError(`No email was sent: ${BY_VALUE}`)
  if (!plan.privacy.tookIn || sends === undefined || !sendsOut(step)) return
  const destination = await destinationOf(ctx, { chainId: sends.chainId, step })
  if (sends.allowed.includes(destination)) return
  const { tool } = step
  const goTo = KIND_OF_STEP[kindOf(step)].acts?.({ tool }).goTo
  const message = `Its private values would go ${goTo}. Allow that first.`
  throw new ValueWouldLeaveError(message, [destination])
}

function refused(destinations: readonly string[]): AppError {
  const details = [...new Set(destinations)].map((destination) => ({ destination }))
  const message = 'Steps of this chain would take your private values to others. Allow that first.'
  return new AppError('conflict', message, { details, reason: VALUE_WOULD_LEAVE })
}
