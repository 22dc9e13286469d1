import {
  type BulkChainsRequest,
  type BulkReply,
  CHAIN_NAME_MAX,
  type Chain,
  type CorrectedSelection,
  type CreateChainRequest,
  EXAMPLE_REQUEST_LENGTH,
  EXAMPLE_REQUESTS_MAX,
  type StepAsk,
  type UpdateChainRequest,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import {
  type ActorContext,
  type AppContext,
  type Context,
  type SqlContext,
  transaction,
} from '../../platform/context.ts'
import { refuseClip } from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { claimSlug, notOwnSlug, replaceTags, requireTags } from '../library/library.ts'
import { lockVisiblePrompts } from '../prompts/prompts.ts'
import type { Change } from '../records/records.ts'
import {
  canEditRecord,
  canNameRecord,
  canShareRecord,
  changeEach,
  endLostAcceptances,
  namedAfter,
  nameOfCopy,
  nothingToNote,
  splitStepSettings,
  tagIdsAfter,
  textNames,
} from '../records/records.ts'
import { openForChange, readSaved, requireVisible } from './chain-access.ts'
import { isWrittenAlone } from './chain-authors.sql.ts'
import type { ChainRecord, StepFields } from './chain-rows.sql.ts'
import { copySteps, deleteStepRow, insertStep, listStepNames, updateStepRow } from './chain-steps.sql.ts'
import { findOptionalVersionSettings, restoreSteps, type SavedChain } from './chain-versions.sql.ts'
import { canDeleteChain, showsRuns } from './chains.policy.ts'
import {
  copyChain,
  deleteChainRow,
  deleteRunsOfChain,
  findChain,
  findOptionalChain,
  insertChain,
  lockOptionalChain,
  updateChainRow,
} from './chains.sql.ts'
import { type OpenedChain, saveChain, saveNewChain } from './save-chain.ts'
import { endSecretsOfChain } from './sealed-parts/step-secrets.sql.ts'

export interface NewChain {
  fields: CreateChainRequest
  user: User
  steps?: readonly StepFields[]
  /** The names in the steps are the person's own; copies have none, as no form has shown them (D69). */
  isShown?: boolean
}

type ChainFields = Omit<UpdateChainRequest, 'revision'>

export function createChain(
  ctx: Context,
  { fields, steps = [], user, isShown = false }: NewChain,
): Promise<Chain> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { tagIds = [], ...columns } = fields
    await requireTags(ctx, { kind: 'chain', ids: tagIds })
    const chainId = await insertChain(db, { ...columns, ownerId: user.id })
    for (const step of steps) {
      const { columns, settings } = splitStepSettings(step)
      const names = textNames({ ...columns, settings: { ...settings, systemPrompt: columns.systemPrompt } })
      const namedBy = namedAfter({ before: {}, names, userId: user.id, isShown })
      await insertStep(db, { ...columns, settings, namedBy, chainId })
    }
    await saveNewChain(ctx, { chainId, user })
    await replaceTags(db, { kind: 'chain', id: chainId, tagIds })
    await recordActivity(ctx, { kind: 'chain.created', object: 'chain', id: chainId })
    return readSaved(ctx, { id: chainId, user })
  })
}

/** An absent field stays as it is. Throws `conflict` with the current chain as details. */
export function updateChain(
  ctx: Context,
  { fields, ...change }: Change & { fields: ChainFields },
): Promise<Chain> {
  return transaction(ctx, async (ctx) => {
    const { id, user } = change
    const chain = await openForChange(ctx, change)
    const { version } = await saveFields(ctx, { chain, fields, user })
    if (fields.note && version === chain.version) throw nothingToNote(version)
    await recordChange(ctx, { chain, fields, version })
    return readSaved(ctx, { id, user })
  })
}

function recordChange(
  ctx: ActorContext<Transaction>,
  { chain, fields, version }: { chain: ChainRecord; fields: ChainFields; version: number },
): Promise<void> {
  const { id, ownerId } = chain
  const { sharedLevel = chain.sharedLevel, runsVisibleTo = chain.runsVisibleTo } = fields
  return recordActivity(ctx, {
    kind: 'chain.changed',
    object: 'chain',
    id,
    ownerId,
    before: { version: chain.version, sharedLevel: chain.sharedLevel, runsVisibleTo: chain.runsVisibleTo },
    after: { version, sharedLevel, runsVisibleTo },
  })
}

async function saveFields(
  ctx: SqlContext<Transaction>,
  { chain, fields, user }: { chain: OpenedChain; fields: ChainFields; user: User },
): Promise<SavedChain> {
  const { db } = ctx
  const { tagIds, note, ...columns } = fields
  const { id } = chain
  refuseClip({ text: columns.description, stored: chain.description })
  const { slug } = columns
  const shown = shownAfter(chain, { fields, user })
  const isOpened = showsRuns(shown) && !showsRuns(chain)
  await requireTags(ctx, { kind: 'chain', ids: tagIds ?? [] })
  if (tagIds !== undefined) await replaceTags(db, { kind: 'chain', id, tagIds })
  if (slug !== undefined && slug !== chain.slug) {
    if (!canNameRecord(user, chain)) throw notOwnSlug()
    await claimSlug(ctx, { kind: 'chain', id, ownerId: chain.ownerId, slug })
  }
  const epoch = isOpened && { visibilityEpoch: chain.visibilityEpoch + 1 }
  const saved = await saveChain(ctx, { chain, user, ...columns, ...epoch, note })
  if (shown.sharedLevel !== chain.sharedLevel) await endLostAcceptances(db, { kind: 'chain', id })
  return saved
}

function shownAfter(chain: ChainRecord, { fields, user }: { fields: ChainFields; user: User }) {
  const { sharedLevel = chain.sharedLevel, runsVisibleTo = chain.runsVisibleTo } = fields
  if (!canShareRecord(user, chain) && sharedLevel !== chain.sharedLevel) {
    throw new AppError('forbidden', 'Only the owner may change who sees this chain')
  }
  if (!canShareRecord(user, chain) && runsVisibleTo !== chain.runsVisibleTo) {
    throw new AppError('forbidden', 'Only the owner may change who sees the runs of this chain')
  }
  return { sharedLevel, runsVisibleTo }
}

/**
 * Saves an older version's steps and settings as a new version; undefined where there is none of that number. Links to
 * prompts that the person can't see end, unless they are there now; the texts of the steps stay.
 */
export function restoreChainVersion(
  ctx: Context,
  { number, ...change }: Change & { number: number },
): Promise<Chain | undefined> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { user } = change
    const chain = await openForChange(ctx, change)
    const { id, ownerId } = chain
    const version = await findOptionalVersionSettings(db, { id, number })
    if (version === undefined) return undefined
    const visible = await lockVisiblePrompts(ctx, { ids: version.promptIds, user })
    const present = (await listStepNames(db, id)).flatMap(({ promptId }) => promptId ?? [])
    await restoreSteps(db, { id, number, promptIds: [...visible.keys(), ...present], userId: user.id })
    const saved = await saveChain(ctx, { chain, user, ...version.settings })
    const after = { version: saved.version }
    await recordActivity(ctx, { kind: 'chain.version_restored', object: 'chain', id, ownerId, after })
    return readSaved(ctx, { id, user })
  })
}

interface ForExample {
  id: number
  user: User
  request: string
}

export async function addExample(
  { db }: SqlContext<Transaction>,
  { id, user, request }: ForExample,
): Promise<CorrectedSelection['example']> {
  const chain = await lockOptionalChain(db, { id, viewerId: user.id })
  if (chain === undefined || !canEditRecord(user, chain)) return 'forbidden'
  const line = request.replace(/\s+/g, ' ').trim().slice(0, EXAMPLE_REQUEST_LENGTH).toWellFormed().trim()
  if (line === '' || chain.exampleRequests.includes(line)) return 'present'
  if (chain.exampleRequests.length >= EXAMPLE_REQUESTS_MAX) return 'full'
  await updateChainRow(db, { id, exampleRequests: [...chain.exampleRequests, line] })
  return 'added'
}

export async function deleteChain(ctx: AppContext, { id, user }: { id: number; user: User }): Promise<void> {
  requireDeletable(await findOptionalChain(ctx.db, { id, viewerId: user.id }), user)
  await deleteRunsOfChain(ctx.db, id)
  await transaction(ctx, async (ctx) => {
    const { ownerId } = requireDeletable(await lockOptionalChain(ctx.db, { id, viewerId: user.id }), user)
    await deleteChainAlone(ctx, { id, ownerId })
  })
}

/** Each by its own right; those that fail stay as they were. Throws `invalid` where there is no such tag. */
export async function changeChains(
  ctx: AppContext,
  { user, ...wanted }: BulkChainsRequest & { user: User },
): Promise<BulkReply> {
  if (wanted.action === 'delete') return changeEach(wanted.ids, (id) => deleteChain(ctx, { id, user }))
  const { ids, tagId, action } = wanted
  await transaction(ctx, (ctx) => requireTags(ctx, { kind: 'chain', ids: [tagId] }))
  return changeEach(ids, (id) => tagChain(ctx, { id, user, tagId, isOn: action === 'tag' }))
}

function tagChain(
  ctx: Context,
  { tagId, isOn, ...change }: Change & { tagId: number; isOn: boolean },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const chain = await openForChange(ctx, change)
    const tagIds = tagIdsAfter(chain.tags, { tagId, isOn })
    if (tagIds === undefined) return
    const fields = { tagIds }
    const { version } = await saveFields(ctx, { chain, fields, user: change.user })
    await recordChange(ctx, { chain, fields, version })
  })
}

/** A chain that has no runs; the caller has checked the person's rights. */
export async function deleteChainAlone(
  ctx: ActorContext<Transaction>,
  { id, ownerId }: { id: number; ownerId: number },
): Promise<void> {
  await deleteChainRow(ctx.db, id)
  await recordActivity(ctx, { kind: 'chain.deleted', object: 'chain', id, ownerId })
}

function requireDeletable(found: ChainRecord | undefined, user: User): ChainRecord {
  if (found !== undefined && canDeleteChain(user, found)) return found
  requireVisible(found, user)
  throw new AppError('forbidden', 'You can’t delete this chain')
}

/** An own private copy with tags and steps; links to prompts that the person can't see end. */
export function duplicateChain(ctx: Context, { id, user }: { id: number; user: User }): Promise<Chain> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const source = requireVisible(await lockOptionalChain(db, { id, viewerId: user.id }), user)
    const name = nameOfCopy(source.name, CHAIN_NAME_MAX)
    const ids = (await listStepNames(db, id)).flatMap(({ promptId }) => promptId ?? [])
    // Locked before counting, so that concurrent saves are counted after.
    const promptIds = [...(await lockVisiblePrompts(ctx, { ids, user })).keys()]
    // What another wrote, this person was never shown by a form.
    const isOwn = await isWrittenAlone(db, { chainId: id, userId: user.id, promptIds: ids })
    const copyId = await copyChain(db, { id, name, ownerId: user.id, writtenByOthers: !isOwn })
    await replaceTags(db, { kind: 'chain', id: copyId, tagIds: source.tags.map((tag) => tag.id) })
    await copySteps(db, {
      fromChainId: id,
      toChainId: copyId,
      promptIds,
      userId: user.id,
      keepsPeople: isOwn,
    })
    await saveNewChain(ctx, { chainId: copyId, user })
    await recordActivity(ctx, { kind: 'chain.duplicated', object: 'chain', id: copyId })
    return readSaved(ctx, { id: copyId, user })
  })
}

/** Steps by the names of their outputs; those without one by their order among themselves. */
function keysOf(steps: readonly Pick<StepFields, 'outputVariableName'>[]): string[] {
  let unnamed = 0
  return steps.map(({ outputVariableName: name }) => name.toLowerCase() || `#${unnamed++}`)
}

/** Files name nobody: whom a step asks stays as it was. */
function withPeopleOf(step: StepFields, stood: { ask: StepAsk | null } | undefined): StepFields {
  const before = stood?.ask
  if (!step.ask || !before) return step
  return { ...step, ask: { ...step.ask, people: before.people, groups: before.groups } }
}

export interface WholeChain extends Change {
  fields: Omit<UpdateChainRequest, 'revision'>
  steps: readonly StepFields[]
}

/** No form has shown these steps. One takes the place of an earlier step with its output name; all is one version. */
export async function replaceChain(
  ctx: SqlContext<Transaction>,
  { fields, steps, ...change }: WholeChain,
): Promise<SavedChain & { revision: number }> {
  const { db } = ctx
  const { user } = change
  const chain = await openForChange(ctx, change)
  const { id: chainId } = chain
  const stored = await listStepNames(db, chainId)
  const keysBefore = keysOf(stored)
  const before = new Map(stored.map((step, index) => [keysBefore[index] ?? '', step]))
  const keys = keysOf(steps)
  const wanted = new Set(keys)
  // Files hold none, and no form has shown where these would go.
  await endSecretsOfChain(db, chainId)
  for (const [name, { id }] of before) if (!wanted.has(name)) await deleteStepRow(db, { id, chainId })
  for (const [position, step] of steps.entries()) {
    const stood = before.get(keys[position] ?? '')
    const { columns, settings } = splitStepSettings(withPeopleOf(step, stood))
    const names = textNames({ ...columns, settings: { ...settings, systemPrompt: columns.systemPrompt } })
    const namedBy = namedAfter({ before: stood?.namedBy ?? {}, names, userId: user.id, isShown: false })
    const row = { ...columns, settings, namedBy, position, chainId }
    if (stood === undefined) await insertStep(db, row)
    else await updateStepRow(db, { ...row, id: stood.id })
  }
  const saved = await saveFields(ctx, { chain, fields, user })
  const { revision } = await findChain(db, { id: chainId, viewerId: user.id })
  return { ...saved, revision }
}
