import { createHmac } from 'node:crypto'
import { type StepAsk, type User, VALUE_WOULD_LEAVE } from '@catenary/contracts'
import { extractVariables, flowTemplate, outputsBefore } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { isWrittenAlone } from '../../chains/chains.ts'
import { listPrivateNames } from '../../variables/variables.ts'
import { listAskedGroups, listPeopleNamed, listRoleHolders } from '../asks/asked-names.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { ValueWouldLeaveError } from '../engine/run-ending.ts'
import { joinTemplates } from '../engine/step-templates.ts'
import type { ChainPlan } from './chain-plan.ts'
import { saveSends } from './sends.sql.ts'

type AskingStep = PlannedStep & Required<Pick<PlannedStep, 'ask'>>
type Audience = Pick<StepAsk, 'people' | 'groups' | 'role'>

export const asksPeople = (step: PlannedStep): step is AskingStep =>
  step.ask !== undefined && step.given === undefined

/**
 * Whom an ask's text reaches, as its runner confirms it (D89): its people and groups by name and id, and of a role who has
 * it now. Those have no names here, which the runner may not see; another set is another destination.
 */
export async function destinationOf(
  ctx: Context,
  { chainId, ask: { people, groups, role } }: { chainId: number; ask: Audience },
): Promise<string> {
  const { db, settings } = ctx
  const named: string[] = []
  for (const name of [...people].sort()) named.push(`${name}#${(await listPeopleNamed(db, [name]))[0] ?? 0}`)
  for (const { id, name } of await listAskedGroups(db, groups)) named.push(`${JSON.stringify(name)}#${id}`)
  if (role !== undefined) {
    const holders = await listRoleHolders(db, { chainId, role })
    const digest = createHmac('sha256', settings.secretKey).update(`role ${chainId} ${holders}`).digest('hex')
    named.push(`${role}#${digest.slice(0, 32)}`)
  }
  return `ask: ${named.join(', ')}`
}

/** From where on a run holds a private value of its runner's that is known beforehand; behind its last step: nowhere. */
export async function firstPrivate(
  ctx: Context,
  { plan, values, user }: { plan: PlannedStep[]; values: ReadonlyMap<string, string>; user: User },
): Promise<number> {
  const outputs = outputsBefore(plan)
  const named = plan.map(({ template: content, systemPrompt, messages = [], onlyIf, forEach }, index) =>
    [joinTemplates({ content, systemPrompt, messages }), flowTemplate({ onlyIf, forEach }, outputs[index])]
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
  if (!plan.some(asksPeople) || (await isAlone(ctx, sending))) return plan
  const sends = await readSends(confirmed)
  if (isShown) {
    const first = Math.max(from.position, from.tookIn ? 0 : await firstPrivate(ctx, sending))
    const missing: string[] = []
    for (const step of plan.slice(first).filter(asksPeople)) {
      const destination = await destinationOf(ctx, { chainId, ask: step.ask })
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
  if (!plan.some(asksPeople) || (await isAlone(ctx, sending))) return (steps) => [...steps]
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
    asksPeople(step)
      ? { ...step, sends: { chainId, allowed: [...new Set([...(step.sends?.allowed ?? []), ...allowed])] } }
      : step,
  )
}

/** Throws before anybody is asked whom the runner did not confirm. */
export async function requireMayGo(
  ctx: Context,
  { plan, step }: { plan: ChainPlan; step: AskingStep },
): Promise<void> {
  const { sends, ask } = step
  if (!plan.privacy.tookIn || sends === undefined) return
  const destination = await destinationOf(ctx, { chainId: sends.chainId, ask })
  if (sends.allowed.includes(destination)) return
  const message = 'Its private values would be shown to the people that this step asks. Allow that first.'
  throw new ValueWouldLeaveError(message, [destination])
}

function refused(destinations: readonly string[]): AppError {
  const details = [...new Set(destinations)].map((destination) => ({ destination }))
  const message =
    'Your private values would be shown to people that a step of this chain asks. Allow that first.'
  return new AppError('conflict', message, { details, reason: VALUE_WOULD_LEAVE })
}
