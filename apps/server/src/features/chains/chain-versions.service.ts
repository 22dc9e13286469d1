import type { Chain, ChainVersion, ListedChainVersion, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import type { Change } from '../../record-access.ts'
import { refuseHeldVersion, requireDeleted, requireVersion } from '../../record-versions.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import { type ChainAccess, toListedStep } from './chain-access.service.ts'
import { listStepNames } from './chain-steps.repository.ts'
import {
  countChainVersions,
  deleteChainVersion,
  findOptionalChainVersion,
  findOptionalVersionSettings,
  listChainVersions,
  restoreSteps,
  saveChain,
} from './chain-versions.repository.ts'
import { findChain, findOptionalChain } from './chains.repository.ts'

export type ChainVersionsService = ReturnType<typeof createChainVersionsService>

interface ChainVersionsDeps {
  db: Database
  access: ChainAccess
  prompts: Pick<PromptsService, 'lockVisible'>
}

const CURSOR = defineCursor({ list: 'chain versions', position: cursorPosition.id })

/** The versions of chains: for editors only, as older versions may predate its becoming public. */
export function createChainVersionsService({ db, access, prompts }: ChainVersionsDeps) {
  async function requireChangeable({ id, user }: { id: number; user: User }) {
    return access.requireChangeable(await findOptionalChain(db, { id, viewerId: user.id }), user)
  }

  return {
    /** Newest first. */
    async list({
      id,
      user,
      query,
    }: ListRequest<{ id: number; user: User }>): Promise<ListPage<ListedChainVersion>> {
      const { limit, cursor } = query
      const before = CURSOR.read(cursor)
      const { id: chainId } = await requireChangeable({ id, user })
      return toPage({
        rows: await listChainVersions(db, { chainId, before, limit: limit + 1 }),
        limit,
        total: before ? undefined : { count: await countChainVersions(db, chainId) },
        toItem: (row) => row,
        cursorOf: ({ number }) => CURSOR.write(number),
      })
    },

    async find({ id, number, user }: { id: number; number: number; user: User }): Promise<ChainVersion> {
      const { id: chainId } = await requireChangeable({ id, user })
      const { steps, ...version } = requireVersion(await findOptionalChainVersion(db, { chainId, number }))
      return { ...version, steps: steps.map((step) => toListedStep(step, null)) }
    },

    /**
     * Saves an older version's steps and settings as a new version. Links to prompts that the person can't see end,
     * unless they are there now; the texts of the steps stay.
     */
    restore({ number, ...change }: Change & { number: number }): Promise<Chain> {
      return db.transaction(async (tx) => {
        const { user } = change
        const { id } = await access.openForChange(tx, change)
        const version = { chainId: id, number }
        const { settings, promptIds: ids } = requireVersion(await findOptionalVersionSettings(tx, version))
        const visible = await prompts.lockVisible(tx, { ids, user })
        const present = (await listStepNames(tx, id)).flatMap(({ promptId }) => promptId ?? [])
        await restoreSteps(tx, { ...version, promptIds: [...visible.keys(), ...present] })
        await saveChain(tx, { id, ...settings, authorId: user.id })
        const chain = await findChain(tx, { id, viewerId: user.id })
        return access.toChain(tx, { chain, viewer: user })
      })
    },

    /** Throws `conflict` for the current version and one that something holds (D47). */
    async delete({ number, ...change }: Change & { number: number }): Promise<void> {
      await db.transaction(async (tx) => {
        const chain = await access.openForChange(tx, change)
        refuseHeldVersion(chain, number)
        requireDeleted(await deleteChainVersion(tx, { chainId: chain.id, number }))
      })
    },
  }
}
