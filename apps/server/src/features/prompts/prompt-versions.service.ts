import type { ListedPromptVersion, Prompt, PromptVersion, User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import {
  clipFields,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../list-page.ts'
import type { Change } from '../../record-access.ts'
import { refuseHeldVersion, requireDeleted, requireVersion } from '../../record-versions.ts'
import { openForChange, requireChangeable } from './prompt-access.service.ts'
import type { PromptRecord } from './prompt-record.ts'
import {
  countPromptVersions,
  deletePromptVersion,
  findOptionalPromptVersion,
  isReleasedInChain,
  listPromptVersions,
} from './prompt-versions.repository.ts'

const CURSOR = defineCursor({ list: 'prompt versions', position: cursorPosition.id })

interface PromptVersionsDeps {
  db: Database
  findOptionalPrompt: (wanted: { id: number; user: User }) => Promise<PromptRecord | undefined>
  /** Saves title and content, as a new version where they are others. */
  write: (
    tx: Transaction,
    saved: { prompt: PromptRecord; fields: Pick<Prompt, 'title' | 'content'>; user: User },
  ) => Promise<Prompt>
}

/** The versions of prompts: for editors only, as older versions may predate its becoming public. */
export function createPromptVersions({ db, findOptionalPrompt, write }: PromptVersionsDeps) {
  return {
    /** Newest first. */
    async listVersions({
      id,
      user,
      query,
    }: ListRequest<{ id: number; user: User }>): Promise<ListPage<ListedPromptVersion>> {
      const { limit, cursor } = query
      const before = CURSOR.read(cursor)
      const prompt = requireChangeable(await findOptionalPrompt({ id, user }), user)
      const rows = await listPromptVersions(db, { promptId: prompt.id, before, limit: limit + 1 })
      return toPage({
        rows,
        limit,
        total: before ? undefined : { count: await countPromptVersions(db, prompt.id) },
        toItem: ({ contentLength, ...row }) => ({ ...row, ...clipFields(contentLength) }),
        cursorOf: ({ number }) => CURSOR.write(number),
      })
    },

    async findVersion({
      id,
      number,
      user,
    }: {
      id: number
      number: number
      user: User
    }): Promise<PromptVersion> {
      const prompt = requireChangeable(await findOptionalPrompt({ id, user }), user)
      return requireVersion(await findOptionalPromptVersion(db, { promptId: prompt.id, number }))
    },

    /** Saves an older version's title and content as a new version. */
    restore({ number, ...change }: Change & { number: number }): Promise<Prompt> {
      return db.transaction(async (tx) => {
        const prompt = await openForChange(tx, change)
        const { title, content } = requireVersion(
          await findOptionalPromptVersion(tx, { promptId: prompt.id, number }),
        )
        return write(tx, { prompt, fields: { title, content }, user: change.user })
      })
    },

    /** Throws `conflict` for the current version and one that something holds (D47). */
    async deleteVersion({ number, ...change }: Change & { number: number }): Promise<void> {
      await db.transaction(async (tx) => {
        const prompt = await openForChange(tx, change)
        refuseHeldVersion(prompt, number)
        const version = { promptId: prompt.id, number }
        const isReleased = await isReleasedInChain(tx, version)
        requireDeleted(isReleased ? 'held' : await deletePromptVersion(tx, version))
      })
    },
  }
}
