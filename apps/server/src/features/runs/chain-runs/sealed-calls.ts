import type { SealedPlace } from '@catenary/domain'
import { sealedPartsOf } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import { type OpenedParts, openSealedParts } from '../../chains/chains.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { CallRestsError, MissingSealedError } from '../engine/run-ending.ts'
import type { ChainPlan } from './chain-plan.ts'
import { retry } from './step-reads.ts'

type CallingStep = PlannedStep & { tool: NonNullable<PlannedStep['tool']> }

/** Whether a call of the step has parts that nobody reads. */
const hasSealed = (step: PlannedStep): step is CallingStep =>
  step.given === undefined && step.tool !== undefined && sealedPartsOf(step.tool).parts.length > 0

/** Throws while a value is missing for any call that is still to come, so that nothing of the run is called in vain. */
export async function requireSealedValues(
  ctx: Context,
  { steps, ended }: ChainPlan,
  from: PlannedStep,
): Promise<void> {
  const left = steps.filter(({ position }) => position >= from.position && !ended?.has(position))
  for (const step of left.filter(hasSealed)) requireValue(step, await open(ctx, step))
}

/** Throws where somebody changed the step’s call and its owner has not allowed that. */
export async function requireAllowed(ctx: Context, step: PlannedStep): Promise<void> {
  if (hasSealed(step)) requireOwners(step, await open(ctx, step))
}

/** The values of a step’s sealed parts at this moment, by part, for a call that the owner allows. */
export async function openSealed(ctx: Context, step: PlannedStep): Promise<ReadonlyMap<string, string>> {
  if (!hasSealed(step)) return new Map()
  const opened = await open(ctx, step)
  requireValue(step, opened)
  requireOwners(step, opened)
  return opened.values
}

/** Who set each sealed part, and when: another value is another destination (D89). */
export async function sayWhoSet(ctx: Context, step: PlannedStep): Promise<string[]> {
  if (!hasSealed(step)) return []
  const { setBy } = await open(ctx, step)
  return sealedPartsOf(step.tool).parts.map(
    (place) => `sealed ${nameOf(place)}: ${setBy.get(place.part) ?? 'no value'}`,
  )
}

const open = (ctx: Context, step: CallingStep): Promise<OpenedParts> =>
  retry(ctx, () => openSealedParts(ctx, step))

function requireValue({ position }: PlannedStep, { missing, owner }: OpenedParts): void {
  if (missing === undefined) return
  const who = owner === '' ? 'The owner of the chain' : `${owner}, who owns the chain,`
  throw new MissingSealedError(
    `The ${nameOf(missing)} of step ${position + 1} has no value. ${who} can set it.`,
  )
}

function requireOwners({ position }: PlannedStep, { rests, owner }: OpenedParts): void {
  if (!rests) return
  throw new CallRestsError(
    `Step ${position + 1} is not as ${owner} last allowed it, and waits for ${owner} to allow it`,
  )
}

const NAMES: Record<SealedPlace['kind'], string> = { url: 'address', header: 'header', query: 'query value' }

const nameOf = ({ kind, name }: SealedPlace): string => `${NAMES[kind]}${name === '' ? '' : ` ${name}`}`
