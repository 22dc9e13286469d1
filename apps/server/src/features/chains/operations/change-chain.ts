import {
  CHAIN_NAME_MAX,
  type Chain,
  type CorrectedSelection,
  type CreateChainRequest,
  EXAMPLE_REQUEST_LENGTH,
  EXAMPLE_REQUESTS_MAX,
  type UpdateChainRequest,
  type User,
} from '@catenary/contracts'
import { namedAfter, textNames } from '../../../consent.ts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { refuseClip } from '../../../list-page.ts'
import { splitStepSettings } from '../../../model-settings.ts'
import { nameOfCopy } from '../../../name-of-copy.ts'
import type { Change } from '../../../record-access.ts'
import { claimSlug, notOwnSlug, requireTags } from '../../library/library.ts'
import { lockVisiblePrompts } from '../../prompts/prompts.ts'
import { nothingToNote } from '../../records/records.ts'
import { openForChange, readSaved, requireVisible } from '../chain-access.service.ts'
import { endLostAcceptances } from '../chain-offers.repository.ts'
import type { ChainRecord, StepFields } from '../chain-record.ts'
import { copySteps, insertStep, listStepNames } from '../chain-steps.repository.ts'
import {
  findOptionalVersionSettings,
  insertChainVersion,
  restoreSteps,
  type SavedChain,
  saveChain,
} from '../chain-versions.repository.ts'
import { canDeleteChain, canEditChain, canNameChain, canShareChain, showsRuns } from '../chains.policy.ts'
import {
  copyChain,
  deleteChainRow,
  deleteRunsOfChain,
  findOptionalChain,
  insertChain,
  insertChainEvent,
  lockOptionalChain,
  replaceChainTags,
  updateChainRow,
} from '../chains.repository.ts'
import type { ChainsDeps } from '../chains-deps.ts'

interface NewChain {
  fields: CreateChainRequest
  user: User
}

export interface NewChainWithSteps extends NewChain {
  steps?: readonly StepFields[]
  /** The names in the steps are the person's own; copies have none, as no form has shown them (D69). */
  isShown?: boolean
}

type ChainFields = Omit<UpdateChainRequest, 'revision'>

export function createChain(deps: ChainsDeps, wanted: NewChain): Promise<Chain> {
  return deps.db.transaction((tx) => createChainIn(tx, wanted))
}

/** With its steps as its first version, in the caller's transaction. */
export async function createChainIn(
  tx: Transaction,
  { fields, steps = [], user, isShown = false }: NewChainWithSteps,
): Promise<Chain> {
  const { tagIds = [], ...columns } = fields
  await requireTags({ db: tx }, { kind: 'chain', ids: tagIds })
  const chainId = await insertChain(tx, { ...columns, ownerId: user.id })
  for (const step of steps) {
    const { columns, settings } = splitStepSettings(step)
    const names = textNames({ ...columns, settings: { ...settings, systemPrompt: columns.systemPrompt } })
    const namedBy = namedAfter({ before: {}, names, userId: user.id, isShown })
    await insertStep(tx, { ...columns, settings, namedBy, chainId })
  }
  await insertChainVersion(tx, { chainId, authorId: user.id })
  await replaceChainTags(tx, { chainId, tagIds })
  return readSaved(tx, { id: chainId, user })
}

/** An absent field stays as it is. Throws `conflict` with the current chain as details. */
export function updateChain(
  { db }: ChainsDeps,
  { fields, ...change }: Change & { fields: ChainFields },
): Promise<Chain> {
  return db.transaction(async (tx) => {
    const { id, user } = change
    const chain = await openForChange(tx, change)
    const { version } = await saveFields(tx, { chain, fields, user })
    if (fields.note && version === chain.version) throw nothingToNote(version)
    return readSaved(tx, { id, user })
  })
}

/** Saves fields of a chain that is opened for the change, with what was done to its steps before. */
export async function saveFields(
  tx: Transaction,
  { chain, fields, user }: { chain: ChainRecord; fields: ChainFields; user: User },
): Promise<SavedChain> {
  const { tagIds, note, ...columns } = fields
  const { id } = chain
  refuseClip({ text: columns.description, stored: chain.description })
  const { slug } = columns
  const shown = shownAfter(chain, { fields, user })
  const isOpened = showsRuns(shown) && !showsRuns(chain)
  await requireTags({ db: tx }, { kind: 'chain', ids: tagIds ?? [] })
  if (tagIds !== undefined) await replaceChainTags(tx, { chainId: id, tagIds })
  if (slug !== undefined && slug !== chain.slug) {
    if (!canNameChain(user, chain)) throw notOwnSlug()
    await claimSlug({ db: tx }, { kind: 'chain', id, ownerId: chain.ownerId, slug })
  }
  const epoch = isOpened && { visibilityEpoch: chain.visibilityEpoch + 1 }
  const saved = await saveChain(tx, { id, ...columns, ...epoch, authorId: user.id, note })
  if (shown.sharedLevel !== chain.sharedLevel) await endLostAcceptances(tx, id)
  return saved
}

/** Who sees the chain and its runs once the fields are saved; throws `forbidden` if the user may not decide that. */
function shownAfter(chain: ChainRecord, { fields, user }: { fields: ChainFields; user: User }) {
  const { sharedLevel = chain.sharedLevel, runsVisibleTo = chain.runsVisibleTo } = fields
  if (!canShareChain(user, chain) && sharedLevel !== chain.sharedLevel) {
    throw new AppError('forbidden', 'Only the owner may change who sees this chain')
  }
  if (!canShareChain(user, chain) && runsVisibleTo !== chain.runsVisibleTo) {
    throw new AppError('forbidden', 'Only the owner may change who sees the runs of this chain')
  }
  return { sharedLevel, runsVisibleTo }
}

/**
 * Saves an older version's steps and settings as a new version; undefined where there is none of that number. Links to
 * prompts that the person can't see end, unless they are there now; the texts of the steps stay.
 */
export async function restoreChainVersion(
  tx: Transaction,
  { number, ...change }: Change & { number: number },
): Promise<Chain | undefined> {
  const { user } = change
  const { id } = await openForChange(tx, change)
  const version = await findOptionalVersionSettings(tx, { id, number })
  if (version === undefined) return undefined
  const visible = await lockVisiblePrompts({ db: tx }, { ids: version.promptIds, user })
  const present = (await listStepNames(tx, id)).flatMap(({ promptId }) => promptId ?? [])
  await restoreSteps(tx, { id, number, promptIds: [...visible.keys(), ...present], userId: user.id })
  await saveChain(tx, { id, ...version.settings, authorId: user.id })
  return readSaved(tx, { id, user })
}

interface ForExample {
  id: number
  user: User
  request: string
}

/** Adds the request to the chain's examples, as one line, or returns why not. */
export async function addExample(
  tx: Transaction,
  { id, user, request }: ForExample,
): Promise<CorrectedSelection['example']> {
  const chain = await lockOptionalChain(tx, { id, viewerId: user.id })
  if (chain === undefined || !canEditChain(user, chain)) return 'forbidden'
  const line = request.replace(/\s+/g, ' ').trim().slice(0, EXAMPLE_REQUEST_LENGTH).toWellFormed().trim()
  if (line === '' || chain.exampleRequests.includes(line)) return 'present'
  if (chain.exampleRequests.length >= EXAMPLE_REQUESTS_MAX) return 'full'
  await updateChainRow(tx, { id, exampleRequests: [...chain.exampleRequests, line] })
  return 'added'
}

/** With all of its runs. */
export async function deleteChain(
  { db }: ChainsDeps,
  { id, user }: { id: number; user: User },
): Promise<void> {
  requireDeletable(await findOptionalChain(db, { id, viewerId: user.id }), user)
  await deleteRunsOfChain(db, id)
  await db.transaction(async (tx) => {
    const found = requireDeletable(await lockOptionalChain(tx, { id, viewerId: user.id }), user)
    await deleteChainIn(tx, { id, user, details: { name: found.name, owner: found.owner } })
  })
}

/** In the caller's transaction; the caller has checked the person's rights. */
export async function deleteChainIn(
  tx: Transaction,
  { id, user, details }: { id: number; user: User; details: Pick<ChainRecord, 'name' | 'owner'> },
): Promise<void> {
  await deleteChainRow(tx, id)
  await insertChainEvent(tx, { actorId: user.id, chainId: id, action: 'chain.deleted', details })
}

/** Throws `not_found` for a chain that the person neither sees nor may delete. */
function requireDeletable(found: ChainRecord | undefined, user: User): ChainRecord {
  if (found !== undefined && canDeleteChain(user, found)) return found
  requireVisible(found, user)
  throw new AppError('forbidden', 'You may not delete this chain')
}

/** An own private copy with tags and steps; links to prompts that the person can't see end. */
export function duplicateChain({ db }: ChainsDeps, { id, user }: { id: number; user: User }): Promise<Chain> {
  return db.transaction(async (tx) => {
    const source = requireVisible(await lockOptionalChain(tx, { id, viewerId: user.id }), user)
    const name = nameOfCopy(source.name, CHAIN_NAME_MAX)
    const ids = (await listStepNames(tx, id)).flatMap(({ promptId }) => promptId ?? [])
    // Locked before counting, so that concurrent saves are counted after.
    const promptIds = [...(await lockVisiblePrompts({ db: tx }, { ids, user })).keys()]
    const copyId = await copyChain(tx, { id, name, ownerId: user.id })
    await replaceChainTags(tx, { chainId: copyId, tagIds: source.tags.map((tag) => tag.id) })
    await copySteps(tx, { fromChainId: id, toChainId: copyId, promptIds, userId: user.id })
    await insertChainVersion(tx, { chainId: copyId, authorId: user.id })
    return readSaved(tx, { id: copyId, user })
  })
}
