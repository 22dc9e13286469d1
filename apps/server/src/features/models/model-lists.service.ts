import { MODEL_LISTS_MAX, type ModelAccess, type User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { deleteOwnList, existsPerson, listOwnLists, saveOwnList } from './model-lists.repository.ts'
import { insertListEvent, lockRegistry } from './models.repository.ts'
import type { Registry } from './registry.service.ts'

interface ModelListsDeps {
  db: Database
  registry: Pick<Registry, 'now' | 'refresh'>
}

interface Wanted {
  userId: number
  user: User
}

export type ModelLists = ReturnType<typeof createModelLists>

/** Who may use what: everyone's list, and lists of their own for some. */
export function createModelLists({ db, registry }: ModelListsDeps) {
  async function change(
    { userId, user }: Wanted,
    modelIds: number[] | null,
    write: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      await lockRegistry(tx)
      if (!(await existsPerson(tx, userId))) throw new AppError('not_found', 'This person does not exist')
      await write(tx)
      await insertListEvent(tx, { actorId: user.id, userId, details: { modelIds } })
    })
    await registry.refresh()
  }

  async function read(): Promise<ModelAccess> {
    await registry.refresh()
    const { models } = registry.now()
    const ids = new Set(models.map(({ id }) => id))
    const own = await listOwnLists(db)
    return {
      everyone: models.filter(({ isForEveryone }) => isForEveryone).map(({ id }) => id),
      people: own.map((list) => ({ ...list, modelIds: list.modelIds.filter((id) => ids.has(id)) })),
    }
  }

  return {
    read,

    /** Throws `invalid` for a model that is not there. */
    async set({ modelIds, ...wanted }: Wanted & { modelIds: number[] }): Promise<ModelAccess> {
      await registry.refresh()
      const ids = registry.now().models.map(({ id }) => id)
      if (!modelIds.every((id) => ids.includes(id)))
        throw fieldError('modelIds', 'One of these models does not exist')
      const { userId } = wanted
      await change(wanted, modelIds, async (tx) => {
        const others = (await listOwnLists(tx)).filter((list) => list.userId !== userId)
        if (others.length >= MODEL_LISTS_MAX) {
          throw new AppError('conflict', `${MODEL_LISTS_MAX} people have a list. Remove one to add another.`)
        }
        await saveOwnList(tx, { userId, modelIds: [...new Set(modelIds)] })
      })
      return read()
    },

    /** They may use what everyone may again. */
    remove: (wanted: Wanted): Promise<void> => change(wanted, null, (tx) => deleteOwnList(tx, wanted.userId)),
  }
}
