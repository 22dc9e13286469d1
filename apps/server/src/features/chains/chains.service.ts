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
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { refuseClip } from '../../list-page.ts'
import { nameOfCopy } from '../../name-of-copy.ts'
import type { Change } from '../../record-access.ts'
import { nothingToNote } from '../../record-versions.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import { claimSlug, requireIdBySlug } from '../slugs/slugs.ts'
import type { TagsService } from '../tags/tags.ts'
import { type ChainAccess, withFlags } from './chain-access.service.ts'
import { createChainLists } from './chain-lists.service.ts'
import { endLostAcceptances } from './chain-offers.repository.ts'
import type { ChainRecord, StepFields } from './chain-record.ts'
import { copySteps, createStep, listStepNames } from './chain-steps.repository.ts'
import { createChainVersion, saveChain } from './chain-versions.repository.ts'
import {
  canDeleteChain,
  canEditChain,
  canSeeRuns,
  canShareChain,
  canViewChain,
  showsRuns,
  visibilityEpochOf,
} from './chains.policy.ts'
import {
  copyChain,
  createChain,
  createChainEvent,
  deleteChain,
  deleteRunsOfChain,
  findChain,
  findOptionalChain,
  lockOptionalChain,
  replaceChainTags,
  updateChain,
} from './chains.repository.ts'
import { createRunnableChains, SNAPSHOT } from './runnable-chains.service.ts'

export type { FrozenLinks, RunnableChain, WantedChain } from './runnable-chains.service.ts'
export type ChainsService = ReturnType<typeof createChainsService>

interface ChainsDeps {
  db: Database
  access: ChainAccess
  prompts: Pick<PromptsService, 'lockVisible'>
  links: Pick<PromptsService['links'], 'read'>
  tags: Pick<TagsService, 'requireAll'>
}

interface Wanted {
  id: number
  user: User | null
}

export type ChainRights = Pick<Chain, 'name' | 'canView' | 'canEdit' | 'canExecute'>

/** What a person may see of the runs of a chain. */
export interface RunRights {
  canView: boolean
  canEdit: boolean
  /** They are its owner or an editor, to whom it shows its runs. */
  canSeeRuns: boolean
  showsRuns: boolean
  /** Runs that started under it can be seen by others; null: none can. */
  visibilityEpoch: number | null
}

const NO_RIGHTS: RunRights = {
  canView: false,
  canEdit: false,
  canSeeRuns: false,
  showsRuns: false,
  visibilityEpoch: null,
}

interface NewChain {
  fields: CreateChainRequest
  user: User
}

type ChainFields = Omit<UpdateChainRequest, 'revision'>

/** Chains: who sees and changes them, and each as it may run now. */
export function createChainsService({ db, access, prompts, links, tags }: ChainsDeps) {
  async function read(tx: Transaction, { id, user }: { id: number; user: User }): Promise<Chain> {
    const chain = await findChain(tx, { id, viewerId: user.id })
    return access.toChain(tx, { chain, viewer: user })
  }

  /** Throws `not_found` for a chain that the person neither sees nor may delete. */
  function requireDeletable(found: ChainRecord | undefined, user: User): ChainRecord {
    if (found !== undefined && canDeleteChain(user, found)) return found
    access.requireVisible(found, user)
    throw new AppError('forbidden', 'You may not delete this chain')
  }

  /** With its steps as its first version, in the caller's transaction. */
  async function createIn(
    tx: Transaction,
    { fields, steps = [], user }: NewChain & { steps?: readonly StepFields[] },
  ): Promise<Chain> {
    const { tagIds = [], ...columns } = fields
    await tags.requireAll(tx, { kind: 'chain', ids: tagIds })
    const chainId = await createChain(tx, { ...columns, ownerId: user.id })
    for (const step of steps) await createStep(tx, { ...step, chainId })
    await createChainVersion(tx, { chainId, authorId: user.id })
    await replaceChainTags(tx, { chainId, tagIds })
    return read(tx, { id: chainId, user })
  }

  /** In the caller's transaction; the caller has checked the person's rights. */
  async function deleteIn(
    tx: Transaction,
    { id, user, details }: { id: number; user: User; details: Pick<ChainRecord, 'name' | 'owner'> },
  ): Promise<void> {
    await deleteChain(tx, id)
    await createChainEvent(tx, { actorId: user.id, chainId: id, action: 'chain.deleted', details })
  }

  return {
    ...createChainLists({ db }),
    ...createRunnableChains({ db, access, links }),
    createIn,
    deleteIn,

    /** Throws `not_found` for a chain that the viewer can't see. */
    find({ id, user }: Wanted): Promise<Chain> {
      return db.transaction(async (tx) => {
        const chain = await access.findVisible(tx, { id, user })
        return access.toChain(tx, { chain, viewer: user })
      }, SNAPSHOT)
    },

    /** By a slug that it has or had; throws `not_found` alike where there is none. */
    findBySlug({ slug, user }: { slug: string; user: User | null }): Promise<Chain> {
      return db.transaction(async (tx) => {
        const id = await requireIdBySlug(tx, { kind: 'chain', slug })
        const chain = await access.findVisible(tx, { id, user })
        return access.toChain(tx, { chain, viewer: user })
      }, SNAPSHOT)
    },

    /** Throws `not_found` for a chain that the person can't see. */
    async requireVisible({ id, user }: Wanted): Promise<Pick<ChainRecord, 'id' | 'name' | 'ownerId'>> {
      const { name, ownerId } = await access.findVisible(db, { id, user })
      return { id, name, ownerId }
    },

    /** What the person may do with the chain now, in the caller's transaction; undefined where there is none. */
    async findAccess(
      executor: Executor,
      { id, user }: { id: number; user: User },
    ): Promise<ChainRights | undefined> {
      const chain = await findOptionalChain(executor, { id, viewerId: user.id })
      if (chain === undefined) return undefined
      const { name, canView, canEdit, canExecute } = withFlags(chain, user)
      return { name, canView, canEdit, canExecute }
    },

    /** Throws `not_found`, or `forbidden` for a chain that the person sees and may not change. */
    async requireEditable(
      executor: Executor,
      { id, user }: { id: number; user: User },
    ): Promise<Pick<ChainRecord, 'id' | 'name'>> {
      const found = await findOptionalChain(executor, { id, viewerId: user.id })
      const { name } = access.requireChangeable(found, user)
      return { id, name }
    },

    /** What the person may see of the chain's runs now: asked again by streams, which outlive a share. */
    async findRunRights({ id, user }: { id: number; user: User }): Promise<RunRights> {
      const chain = await findOptionalChain(db, { id, viewerId: user.id })
      if (chain === undefined) return NO_RIGHTS
      return {
        canView: canViewChain(user, chain),
        canEdit: canEditChain(user, chain),
        canSeeRuns: canSeeRuns(user, chain),
        showsRuns: showsRuns(chain),
        visibilityEpoch: visibilityEpochOf(chain),
      }
    },

    create: (wanted: NewChain): Promise<Chain> => db.transaction((tx) => createIn(tx, wanted)),

    /** An absent field stays as it is. Throws `conflict` with the current chain as details. */
    update({ fields, ...change }: Change & { fields: ChainFields }): Promise<Chain> {
      return db.transaction(async (tx) => {
        const { tagIds, note, ...columns } = fields
        const { id, user } = change
        const chain = await access.openForChange(tx, change)
        refuseClip({ text: columns.description, stored: chain.description })
        const { slug, sharedLevel = chain.sharedLevel, runsVisibleTo = chain.runsVisibleTo } = columns
        if (!canShareChain(user, chain) && sharedLevel !== chain.sharedLevel) {
          throw new AppError('forbidden', 'Only the owner may change who sees this chain')
        }
        if (!canShareChain(user, chain) && runsVisibleTo !== chain.runsVisibleTo) {
          throw new AppError('forbidden', 'Only the owner may change who sees the runs of this chain')
        }
        const isOpened = showsRuns({ sharedLevel, runsVisibleTo }) && !showsRuns(chain)
        await tags.requireAll(tx, { kind: 'chain', ids: tagIds ?? [] })
        if (tagIds !== undefined) await replaceChainTags(tx, { chainId: id, tagIds })
        if (slug !== undefined && slug !== chain.slug) await claimSlug(tx, { kind: 'chain', id, slug })
        const epoch = isOpened && { visibilityEpoch: chain.visibilityEpoch + 1 }
        const { version } = await saveChain(tx, { id, ...columns, ...epoch, authorId: user.id, note })
        if (note && version === chain.version) throw nothingToNote(version)
        if (sharedLevel !== chain.sharedLevel) await endLostAcceptances(tx, id)
        return read(tx, { id, user })
      })
    },

    /** Adds what was asked to the chain's examples, as one line; says why not, where it does not. */
    async addExample(
      tx: Transaction,
      { id, user, request }: { id: number; user: User; request: string },
    ): Promise<CorrectedSelection['example']> {
      const chain = await lockOptionalChain(tx, { id, viewerId: user.id })
      if (chain === undefined || !canEditChain(user, chain)) return 'forbidden'
      const line = request.replace(/\s+/g, ' ').trim().slice(0, EXAMPLE_REQUEST_LENGTH).toWellFormed().trim()
      if (line === '' || chain.exampleRequests.includes(line)) return 'present'
      if (chain.exampleRequests.length >= EXAMPLE_REQUESTS_MAX) return 'full'
      await updateChain(tx, { id, exampleRequests: [...chain.exampleRequests, line] })
      return 'added'
    },

    /** With all that ran of it. */
    async delete({ id, user }: { id: number; user: User }): Promise<void> {
      requireDeletable(await findOptionalChain(db, { id, viewerId: user.id }), user)
      await deleteRunsOfChain(db, id)
      await db.transaction(async (tx) => {
        const found = requireDeletable(await lockOptionalChain(tx, { id, viewerId: user.id }), user)
        await deleteIn(tx, { id, user, details: { name: found.name, owner: found.owner } })
      })
    },

    /** An own private copy with tags and steps; links to prompts that the person can't see end. */
    duplicate({ id, user }: { id: number; user: User }): Promise<Chain> {
      return db.transaction(async (tx) => {
        const source = access.requireVisible(await lockOptionalChain(tx, { id, viewerId: user.id }), user)
        const name = nameOfCopy(source.name, CHAIN_NAME_MAX)
        const ids = (await listStepNames(tx, id)).flatMap(({ promptId }) => promptId ?? [])
        // Locked before counting, so that concurrent saves are counted after.
        const promptIds = [...(await prompts.lockVisible(tx, { ids, user })).keys()]
        const copyId = await copyChain(tx, { id, name, ownerId: user.id })
        await replaceChainTags(tx, { chainId: copyId, tagIds: source.tags.map((tag) => tag.id) })
        await copySteps(tx, { fromChainId: id, toChainId: copyId, promptIds })
        await createChainVersion(tx, { chainId: copyId, authorId: user.id })
        return read(tx, { id: copyId, user })
      })
    },
  }
}
