import {
  CHAIN_STEPS_MAX,
  CHAIN_VERSIONS_BYTES,
  type Chain,
  type ChainStep,
  KIND_OF_STEP,
  type NamedBy,
  OWN_FIELDS,
  type StepAsk,
  type User,
  type WrittenTool,
} from '@catenary/contracts'
import { asksEachItem, oppositeOf } from '@catenary/domain'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type ActorContext, type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { refuseClip } from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { requireChosenModels } from '../models/models.ts'
import { lockLinkedText, lockVisiblePrompts, type PromptLink } from '../prompts/prompts.ts'
import type { Change } from '../records/records.ts'
import {
  namedAfter,
  nothingToNote,
  splitStepSettings,
  stepSettingsOf,
  textNames,
} from '../records/records.ts'
import { findUnknownName } from './asked-names.sql.ts'
import { findVisible, openForChange, readSaved, toStep } from './chain-access.ts'
import type { NewStepFields, StepColumns, StepFields, StepRecord } from './chain-rows.sql.ts'
import {
  deleteStepRow,
  findOptionalStep,
  insertStep,
  listStepNames,
  type StepOfChain,
  updateStepPositions,
  updateStepRow,
} from './chain-steps.sql.ts'
import type { SavedChain } from './chain-versions.sql.ts'
import { nextOutputName, requireFreeName, requireItemName, requireOutputName } from './output-names.ts'
import { type OpenedChain, saveChain } from './save-chain.ts'
import { keepSecrets, splitValues, type Values } from './sealed-parts/keep-secrets.ts'
import { hasOwnText, requireStepShape, toNewStep, withKindOf } from './step-kinds.ts'

type StepChange = Change & { stepId: number }

/** With values of its sealed parts. */
type Sent<Fields> = Omit<Fields, 'tool'> & { tool?: WrittenTool | null | undefined }

interface Noted {
  note?: string | undefined
}

export function readStep(
  ctx: Context,
  { id, stepId, user }: { id: number; stepId: number; user: User | null },
): Promise<ChainStep> {
  return transaction(ctx, async (ctx) => {
    const { id: chainId } = await findVisible(ctx, { id, user })
    return toStep(ctx, { step: await findStep(ctx, { id: stepId, chainId }), viewer: user })
  })
}

// Each change locks the chain, so that the checks on all of its steps hold, and raises its revision once.

/** A step at the given position: after those that have it already. */
export function addStep(
  ctx: Context,
  { fields: given, note, ...change }: Change & Noted & { fields: Sent<NewStepFields> },
): Promise<ChainStep> {
  const { fields: kept, values } = splitValues(given)
  const fields = toNewStep(kept)
  requireStepShape(fields)
  requireChosenModels(ctx, { fields, user: change.user })
  return transaction(ctx, async (ctx) => {
    const chain = await openForChange(ctx, change)
    const others = await listStepNames(ctx.db, chain.id)
    return insertNew(ctx, { chain, others, fields, values, note, user: change.user, before: {} })
  })
}

type OtherFields = Omit<NewStepFields, 'position' | 'onlyIf' | 'outputVariableName'> & {
  outputVariableName?: string | undefined
}

/** A step right behind another, that runs where that one does not. */
export function addElse(
  ctx: Context,
  { stepId, fields: sent, note, ...change }: StepChange & Noted & { fields: Sent<OtherFields> },
): Promise<ChainStep> {
  const { fields: given, values } = splitValues(sent)
  return transaction(ctx, async (ctx) => {
    const { user } = change
    const chain = await openForChange(ctx, change)
    const other = await findStep(ctx, { id: stepId, chainId: chain.id })
    const others = await listStepNames(ctx.db, chain.id)
    const fields = toNewStep({ ...given, ...elseOf({ other, given, others }) })
    requireStepShape(fields)
    requireChosenModels(ctx, { fields, user })
    const asked = new Set(
      textNames({ content: '', settings: other.onlyIf ? { onlyIf: other.onlyIf } : null }),
    )
    // What a condition names stays whose it was.
    const before = Object.fromEntries(Object.entries(other.namedBy).filter(([name]) => asked.has(name)))
    return insertNew(ctx, { chain, others, fields, values, note, user, before, behind: stepId })
  })
}

function elseOf({
  other,
  given,
  others,
}: {
  other: StepRecord
  given: OtherFields
  others: { outputVariableName: string }[]
}) {
  const { onlyIf, forEach, position, outputVariableName: name } = other
  if (onlyIf === undefined)
    throw new AppError('conflict', 'This step has no condition, so there is nothing else to run')
  const { own, hasOutput } = KIND_OF_STEP[given.kind ?? 'prompt']
  const mayLoop = given.forEach === undefined && own === undefined
  const isOwn = !hasOutput || name === ''
  return {
    position,
    onlyIf: oppositeOf(onlyIf),
    outputVariableName: given.outputVariableName ?? (isOwn ? '' : nextOutputName({ name, others })),
    ...(mayLoop && asksEachItem(onlyIf, forEach) && { forEach }),
  }
}

interface NewStep extends Noted {
  chain: OpenedChain
  others: Awaited<ReturnType<typeof listStepNames>>
  fields: StepFields
  values: Values
  user: User
  /** Whose names it has from elsewhere. */
  before: NamedBy
  /** The step that it stands right behind; absent: its position says where. */
  behind?: number
}

async function insertNew(
  ctx: Context<Transaction>,
  { chain, others, fields, values, note, user, before, behind }: NewStep,
): Promise<ChainStep> {
  const { id: chainId } = chain
  requireRoom(others.length)
  requireFreeName({ name: fields.outputVariableName, others })
  requireOutputName(fields)
  requireItemName({ fields, earlier: others.filter(({ position }) => position <= (fields.position ?? 0)) })
  await requireKnownNames(ctx, { ask: fields.ask, user })
  const linked = await withLink(ctx, { link: linkOf({ before: NO_LINK, fields }), fields, user })
  const { columns, settings } = splitStepSettings(linked)
  const isShown = fields.content !== '' || hasOwnText(fields)
  const namedBy = namedIn({ after: { ...columns, settings }, before, user, isShown })
  const step = await insertStep(ctx.db, { ...columns, settings, namedBy, chainId })
  await keepSecrets(ctx, { chain, stepId: step.id, after: step, sent: fields, values, user })
  if (behind !== undefined) {
    const stepIds = others.flatMap(({ id }) => (id === behind ? [id, step.id] : [id]))
    await updateStepPositions(ctx.db, { chainId, stepIds })
  }
  requireKept(await saveChain(ctx, { chain, user, note }))
  await record(ctx, { kind: 'chain.step_added', chain })
  const added = behind === undefined ? step : await findStep(ctx, { id: step.id, chainId })
  return toStep(ctx, { step: added, viewer: user })
}

/** Absent fields and an existing link to a prompt stay as they are. */
export function updateStep(
  ctx: Context,
  { stepId, fields: sent, note, ...change }: StepChange & Noted & { fields: Sent<Partial<StepFields>> },
): Promise<ChainStep> {
  const { fields: given, values } = splitValues(sent)
  return transaction(ctx, async (ctx) => {
    const { user } = change
    const chain = await openForChange(ctx, { ...change, stepId })
    const { id: chainId, version } = chain
    const before = await findStep(ctx, { id: stepId, chainId })
    const fields = withKindOf({ before, fields: given })
    requireStepShape({ ...before, ...fields })
    requireChosenModels(ctx, { fields, before, user })
    refuseClip({ text: fields.content, stored: before.content })
    refuseClip({ text: fields.systemPrompt, stored: before.systemPrompt })
    const { outputVariableName: name } = fields
    if (name !== undefined || fields.forEach) {
      const all = await listStepNames(ctx.db, chainId)
      const others = all.filter(({ id }) => id !== stepId)
      if (name !== undefined) requireFreeName({ name, others })
      // One that has such a name from before keeps it.
      if (name !== before.outputVariableName) requireOutputName(fields)
      const at = fields.position ?? before.position
      const isEarlier = ({ id, position }: (typeof all)[number]) =>
        position < at || (position === at && id < stepId)
      requireItemName({ fields, earlier: others.filter(isEarlier) })
    }
    await requireKnownNames(ctx, { ask: fields.ask, before: before.ask, user })
    const link = linkOf({ before, fields })
    const linked = isSameLink(before, link) ? fields : await withLink(ctx, { link, fields, user })
    const { columns, settings } = splitStepSettings(linked, stepSettingsOf(before))
    const after = { ...before, ...columns, settings }
    const isOwnText = fields.content !== '' || hasOwnText(settings)
    const isShown = isOwnText && TEXTS.some((text) => fields[text] !== undefined)
    const namedBy = namedIn({ after, before: before.namedBy, user, isShown })
    const step = await updateStepRow(ctx.db, { ...columns, settings, namedBy, id: stepId, chainId })
    await keepSecrets(ctx, { chain, stepId, before, after: step, sent: given, values, user })
    const saved = await saveChain(ctx, { chain, user, note })
    requireKept(saved)
    if (note && saved.version === version) throw nothingToNote(version)
    await record(ctx, { kind: 'chain.step_changed', chain })
    return toStep(ctx, { step, viewer: user })
  })
}

/** Throws `invalid` unless the user may link to it. A step without its own text gets the prompt's. */
async function withLink<Fields extends Partial<StepFields>>(
  ctx: SqlContext<Transaction>,
  { link, fields, user }: { link: PromptLink; fields: Fields; user: User },
): Promise<Fields> {
  const { promptId } = link
  if (promptId === null) return { ...fields, ...link }
  const prompt = await lockLinkedText(ctx, { link: { ...link, promptId }, user })
  const copy = fields.content ? {} : { title: fields.title || prompt.title, content: prompt.content }
  return { ...fields, ...link, ...copy }
}

export function deleteStep(ctx: Context, { stepId, ...change }: StepChange): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const chain = await openForChange(ctx, change)
    const { id: chainId } = chain
    if (!(await deleteStepRow(ctx.db, { id: stepId, chainId }))) throw stepNotFound()
    await saveChain(ctx, { chain, user: change.user })
    await record(ctx, { kind: 'chain.step_deleted', chain })
  })
}

/** Throws `invalid` unless the ids are those of all steps, each once. */
export function reorderSteps(
  ctx: Context,
  { stepIds, ...change }: Change & { stepIds: number[] },
): Promise<Chain> {
  return transaction(ctx, async (ctx) => {
    const { user } = change
    const chain = await openForChange(ctx, change)
    const { id: chainId } = chain
    const existing = new Set((await listStepNames(ctx.db, chainId)).map(({ id }) => id))
    const isWhole = new Set(stepIds).size === existing.size && stepIds.length === existing.size
    if (!isWhole || !stepIds.every((id) => existing.has(id))) {
      throw fieldError('stepIds', 'List each step of the chain exactly once')
    }
    await updateStepPositions(ctx.db, { chainId, stepIds })
    await saveChain(ctx, { chain, user })
    await record(ctx, { kind: 'chain.steps_reordered', chain })
    return readSaved(ctx, { id: chainId, user })
  })
}

export function duplicateStep(ctx: Context, { stepId, ...change }: StepChange): Promise<ChainStep> {
  return transaction(ctx, async (ctx) => {
    const { user } = change
    const chain = await openForChange(ctx, change)
    const { id: chainId } = chain
    const { id, ...whole } = await findStep(ctx, { id: stepId, chainId })
    const { columns: fields, settings } = splitStepSettings(whole)
    const others = await listStepNames(ctx.db, chainId)
    requireRoom(others.length)
    const ids = fields.promptId === null ? [] : [fields.promptId]
    const promptId = (await lockVisiblePrompts(ctx, { ids, user })).keys().next().value ?? null
    const name = fields.outputVariableName
    const outputVariableName = name === '' ? '' : nextOutputName({ name, others })
    const namedBy = namedIn({ after: { ...fields, settings }, before: {}, user, isShown: false })
    const copy = await insertStep(ctx.db, {
      ...fields,
      settings,
      namedBy,
      chainId,
      promptId,
      outputVariableName,
    })
    const stepIds = others.flatMap((other) => (other.id === id ? [id, copy.id] : [other.id]))
    await updateStepPositions(ctx.db, { chainId, stepIds })
    requireKept(await saveChain(ctx, { chain, user }))
    await record(ctx, { kind: 'chain.step_duplicated', chain })
    const step = await findStep(ctx, { id: copy.id, chainId })
    return toStep(ctx, { step, viewer: user })
  })
}

interface Recorded {
  kind: `chain.${'step_added' | 'step_changed' | 'step_deleted' | 'step_duplicated' | 'steps_reordered'}`
  chain: { id: number; ownerId: number }
}

function record(ctx: ActorContext<Transaction>, { kind, chain }: Recorded): Promise<void> {
  return recordActivity(ctx, { kind, object: 'chain', id: chain.id, ownerId: chain.ownerId })
}

const TEXTS = [
  'content',
  'systemPrompt',
  'messages',
  'onlyIf',
  'forEach',
  ...OWN_FIELDS.map(({ field }) => field),
] as const

interface SavedStep {
  after: Pick<StepColumns, 'content' | 'systemPrompt' | 'settings'>
  before: NamedBy
  user: User
  isShown: boolean
}

/** A text that the server copies from a prompt was not shown by the form. */
function namedIn({ after: { content, systemPrompt, settings }, user, ...save }: SavedStep): NamedBy {
  const names = textNames({ content, settings: { ...settings, systemPrompt } })
  return namedAfter({ names, userId: user.id, ...save })
}

interface AskedNames {
  ask: StepAsk | null | undefined
  before?: StepAsk | undefined
  user: User
}

/** Of those that were not there before: an account that was deleted keeps nobody from saving the rest. */
async function requireKnownNames(
  { db }: SqlContext<Transaction>,
  { ask, before, user }: AskedNames,
): Promise<void> {
  if (!ask) return
  const people = ask.people.filter((name) => !before?.people.includes(name))
  const groups = ask.groups.filter((name) => !before?.groups.includes(name))
  if (people.length + groups.length === 0) return
  const unknown = await findUnknownName(db, { people, groups, viewer: user })
  if (unknown === undefined) return
  const isGroup = groups.includes(unknown)
  throw fieldError(
    isGroup ? 'ask.groups' : 'ask.people',
    `There is no ${isGroup ? 'group' : 'account'} named ${unknown}`,
  )
}

const NO_LINK: PromptLink = { promptId: null, promptLabel: null, promptVersion: null }

/** A new prompt, label or version replaces the label or version before. */
function linkOf({ before, fields }: { before: PromptLink; fields: Partial<PromptLink> }): PromptLink {
  const { promptId = before.promptId } = fields
  const kept = promptId === before.promptId ? before : NO_LINK
  const {
    promptLabel = fields.promptVersion == null ? kept.promptLabel : null,
    promptVersion = fields.promptLabel == null ? kept.promptVersion : null,
  } = fields
  if (promptId === null && (promptLabel !== null || promptVersion !== null)) {
    throw fieldError('promptId', 'Choose the prompt that the label or version belongs to')
  }
  if (promptLabel !== null && promptVersion !== null) {
    throw fieldError('promptVersion', 'Choose either a label or a version')
  }
  return { promptId, promptLabel, promptVersion }
}

function isSameLink(left: PromptLink, right: PromptLink): boolean {
  const names = ['promptId', 'promptLabel', 'promptVersion'] as const
  return names.every((name) => left[name] === right[name])
}

async function findStep({ db }: SqlContext<Transaction>, step: StepOfChain): Promise<StepRecord> {
  const found = await findOptionalStep(db, step)
  if (found === undefined) throw stepNotFound()
  return found
}

function stepNotFound(): AppError {
  return new AppError('not_found', 'Step not found')
}

function requireRoom(count: number): void {
  if (count < CHAIN_STEPS_MAX) return
  throw new AppError('invalid', `A chain can have at most ${CHAIN_STEPS_MAX} steps`)
}

/** Otherwise a chain whose texts no version could keep would have versions that are not what ran. */
function requireKept({ isTooLarge }: SavedChain): void {
  if (!isTooLarge) return
  throw fieldError(
    'content',
    `The texts of a chain can be at most ${CHAIN_VERSIONS_BYTES / 1_000_000} MB in total`,
  )
}
