import type { Condition, ForEach, PreviewStepRequest, StepPreview, User } from '@catenary/contracts'
import { asksEachItem, conditionText, estimateTokens, namesInCondition, readItems } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { requireAllowed } from '../../variables/variables.ts'
import type { ChainPlan } from '../chain-runs/chain-plan.ts'
import { openPlan } from '../chain-runs/open-plan.ts'
import { planAllowed } from '../chain-runs/private-names.ts'
import { renderInput, requireAll } from '../chain-runs/render-input.ts'
import { tooMany, withItem } from '../chain-runs/run-loop.ts'
import { compare, findNames, type StepToGo } from '../chain-runs/step-reads.ts'
import { toKept } from '../engine/attachments.ts'
import { asksModel, kindOf, type PlannedStep } from '../engine/planned-step.ts'
import { withheldIn } from '../engine/private-values.ts'
import { toFailure } from '../engine/run-ending.ts'
import { type RenderedStep, toAsked } from '../engine/step-templates.ts'
import { type KnownValues, knownFrom } from './known-values.ts'
import { type EarlierRun, findNewest, openEarlier } from './open-earlier.ts'

interface PreviewRequest extends PreviewStepRequest {
  chainId: number
  stepId: number
  user: User
  signal: AbortSignal
}

/**
 * What a step would send in a run of this person's with the values of an earlier one, by the engine's own rendering.
 * Without a run it is the newest that they can read. Nothing is sent.
 */
export async function previewStep(
  ctx: Context,
  { chainId, stepId, user, signal, executionId, variableValues = {}, fills = [] }: PreviewRequest,
): Promise<StepPreview> {
  await requireAllowed(ctx, { typed: new Map(Object.entries(variableValues)), user })
  const opened = await openPlan(ctx, { id: chainId, user })
  const position = opened.steps.findIndex(({ id }) => id === stepId)
  const { plan: steps } = await planAllowed(opened.steps, { shown: fills })
  const step = steps[position]
  if (step === undefined) throw new AppError('not_found', 'Step not found')
  const id = executionId ?? (await findNewest(ctx, { chainId, user }))
  const earlier =
    id === undefined ? undefined : await openEarlier(ctx, { id, chainId, user, path: 'executionId' })
  const known = knownFrom({ earlier, steps, position, typed: variableValues })
  const plan = toPlan({ user, known })
  const shown = await previewParts(ctx, { run: { signal }, plan, step, isCounted: true, known })
  return { ...toPreview({ step, shown, known, earlier }), executionId: earlier?.run.id ?? null }
}

function toPlan({ user, known }: { user: User; known: KnownValues }): ChainPlan {
  const { outputs, jsonOutputs, values } = known
  return {
    user,
    outputs,
    jsonOutputs,
    values,
    steps: [],
    singleCalls: 0,
    mayHaveItems: false,
    lostWorkers: 0,
    output: '',
    privacy: { mayUse: true, tookIn: true },
    trigger: 'manual',
    depth: null,
  }
}

type Resolved = RenderedStep['resolved']

interface Previewing extends StepToGo {
  known: KnownValues
}

interface Shown {
  condition: StepPreview['condition']
  items: StepPreview['items']
  input: RenderedStep | undefined
  problem: string | null
  resolved: Resolved
}

/** Condition, list and texts, each by itself: a run would read no further where one of them ends it. */
async function previewParts(ctx: Context, toGo: Previewing): Promise<Shown> {
  const { step, plan } = toGo
  const { onlyIf, forEach } = step
  const list = forEach && (await previewList(ctx, { ...toGo, forEach }))
  const item = list?.item && { ...list.item, index: 0 }
  const asItem = forEach && item ? { ...toGo, plan: withItem({ plan, forEach, item }) } : undefined
  const asks = onlyIf && asksEachItem(onlyIf, forEach) ? asItem : toGo
  const asked = onlyIf && (await previewCondition(ctx, { onlyIf, asks }))
  const texts = forEach ? asItem : toGo
  const rendered = texts ? await previewTexts(ctx, texts) : NOTHING
  return {
    condition: asked?.condition ?? null,
    items: list?.items ?? null,
    ...rendered,
    resolved: { ...list?.resolved, ...asked?.resolved, ...rendered.resolved },
  }
}

const NOTHING: Pick<Shown, 'input' | 'problem' | 'resolved'> = {
  input: undefined,
  problem: null,
  resolved: {},
}

interface Asking {
  onlyIf: Condition
  /** Absent: it is asked of an item, and there is none. */
  asks: Previewing | undefined
}

async function previewCondition(
  ctx: Context,
  { onlyIf, asks }: Asking,
): Promise<{ condition: NonNullable<StepPreview['condition']>; resolved: Resolved }> {
  const text = conditionText(onlyIf)
  const names = namesInCondition(onlyIf)
  const unread = (problem: string, resolved: Resolved = {}) => ({
    condition: { text, holds: null, problem },
    resolved,
  })
  if (asks === undefined) return unread('The list has no item to look at')
  const unknown = unknownIn(names, asks)
  if (unknown !== undefined) return unread(unknown)
  let resolved: Resolved = {}
  try {
    const read = await findNames(ctx, { ...asks, names })
    resolved = read.resolved
    const holds = await compare(ctx, { ...asks, onlyIf, found: read.found })
    return { condition: { text, holds, problem: null }, resolved }
  } catch (error) {
    return unread(problemOf(error, asks), resolved)
  }
}

interface Listed {
  items: NonNullable<StepPreview['items']>
  item?: { item: string; isJson: boolean }
  resolved: Resolved
}

async function previewList(
  ctx: Context,
  { forEach, ...toGo }: Previewing & { forEach: ForEach },
): Promise<Listed> {
  const { list, max } = forEach
  const nothing = { count: null, first: null }
  const unknown = unknownIn([list], toGo)
  if (unknown !== undefined) return { items: { ...nothing, problem: unknown }, resolved: {} }
  try {
    const { found, resolved } = await findNames(ctx, { ...toGo, names: [list] })
    const { text = '', problem } = found.get(list) ?? {}
    if (problem !== undefined) {
      return { items: { ...nothing, problem: `The list can’t be read: ${problem}` }, resolved }
    }
    const all = readItems(text)
    const [item] = all
    const count = all.length
    const refused = count > max ? tooMany({ list, max, count }) : null
    const items = { count, first: item?.text ?? null, problem: refused }
    return { items, ...(item && { item: { item: item.text, isJson: item.isJson } }), resolved }
  } catch (error) {
    return { items: { ...nothing, problem: problemOf(error, toGo) }, resolved: {} }
  }
}

async function previewTexts(
  ctx: Context,
  toGo: Previewing,
): Promise<Pick<Shown, 'input' | 'problem' | 'resolved'>> {
  const { step, plan } = toGo
  let input: RenderedStep | undefined
  try {
    input = await renderInput(ctx, toGo)
    const { resolved } = input
    if (withheldIn(resolved).length === 0) requireAll({ step, plan, resolved })
    return { input, problem: null, resolved }
  } catch (error) {
    return { input, problem: problemOf(error, toGo), resolved: input?.resolved ?? {} }
  }
}

/** As the run would say it. What the caller did wrong, or the program, is no word of the step. */
function problemOf(error: unknown, { run: { signal } }: Pick<Previewing, 'run'>): string {
  if (error instanceof AppError) throw error
  const { message, code } = toFailure({ error, signal })
  if (code === 'internal') throw error
  return message
}

/** An output that the run does not have might else be taken for a variable of its name. */
function unknownIn(names: readonly string[], { known }: Pick<Previewing, 'known'>): string | undefined {
  const name = names.find((ref) => known.isMissing(ref))
  return name && `${name} is not known from this run`
}

interface Showing {
  step: PlannedStep
  shown: Shown
  known: KnownValues
  earlier: EarlierRun | undefined
}

function toPreview({ step, shown, known, earlier }: Showing): Omit<StepPreview, 'executionId'> {
  const { input, resolved, condition, items, problem } = shown
  const { forEach, messages = [] } = step
  const turns = input?.messages ?? messages
  const withheld = withheldIn(resolved)
  const unresolved = Object.keys(resolved).filter(
    (name) => resolved[name]?.error !== null && !withheld.includes(name),
  )
  const fromOutside = known.outsideIn({ step, resolved, earlier })
  const asked = asksModel(step) ? toAsked(step) : null
  return {
    position: step.position,
    kind: kindOf(step),
    title: step.title,
    model: step.model === '' ? null : step.model,
    promptId: step.promptId,
    promptLabel: step.promptLabel ?? null,
    promptVersion: step.promptVersion,
    outputVariableName: step.outputVariableName,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    resolved,
    ...(fromOutside.length > 0 && { fromOutside }),
    attachments: toKept(input?.placed ?? []) ?? [],
    systemPrompt: input?.systemPrompt ?? step.systemPrompt,
    messages: turns.length > 0 ? turns : undefined,
    settings: forEach ? { ...asked, forEach } : (asked ?? undefined),
    missing: [...new Set([...known.missing, ...unresolved])],
    withheld,
    condition,
    items,
    problem,
    inputTokens: input && asksModel(step) ? tokensOf(input) : null,
  }
}

function tokensOf({ systemPrompt, messages, text }: RenderedStep): number {
  const texts = [systemPrompt, ...messages.map(({ content }) => content), text]
  return texts.reduce((sum, each) => sum + estimateTokens(each).tokens, 0)
}
