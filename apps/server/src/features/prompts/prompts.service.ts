import { PROMPT_TITLE_MAX, type Prompt, type SavePromptRequest, type User } from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { clipFields, refuseClip } from '../../list-page.ts'
import { nameOfCopy } from '../../name-of-copy.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import type { Change } from '../../record-access.ts'
import { nothingToNote } from '../../record-versions.ts'
import { claimSlug, requireIdBySlug } from '../slugs/slugs.ts'
import type { TagsService } from '../tags/tags.ts'
import { openForChange, requireVisible, toPrompt } from './prompt-access.service.ts'
import { createPromptLists } from './prompt-lists.service.ts'
import { type PromptRecord, recordFor } from './prompt-record.ts'
import { createPromptVersion } from './prompt-versions.repository.ts'
import { createPromptVersions } from './prompt-versions.service.ts'
import { canDeletePrompt, canPublishPrompt } from './prompts.policy.ts'
import {
  copyPrompt,
  createPrompt,
  deletePrompt,
  findPrompt,
  listPromptClips,
  listPromptTexts,
  lockCategory,
  lockOptionalPrompt,
  preparePromptWithShares,
  releaseRunsOfPrompt,
  replacePromptTags,
  updatePrompt,
  updatePromptSlug,
  updatePromptSwitches,
} from './prompts.repository.ts'

/** Characters of all prompts that are kept in memory. */
const CHARACTERS_KEPT = 8_000_000
/** About what a prompt takes beside its text. */
const PROMPT_OVERHEAD = 1_000

export type PromptsService = ReturnType<typeof createPromptsService>

interface PromptsDeps {
  db: Database
  tags: Pick<TagsService, 'requireAll'>
  rowChanges: RowChanges
}

type PromptFields = Omit<SavePromptRequest, 'revision'>
type PromptText = Pick<Prompt, 'id' | 'title' | 'content' | 'version'>

/** Prompts and their versions: access, and conflicts between saves. */
export function createPromptsService({ db, tags, rowChanges }: PromptsDeps) {
  const findCachedPrompt = readThroughCache({
    rowChanges,
    load: preparePromptWithShares(db),
    rowsOf: (prompt) => [
      `prompts:${prompt.id}`,
      `users:${prompt.ownerId}`,
      `categories:${prompt.categoryId}`,
      ...prompt.tags.map(({ id }) => `tags:${id}` as const),
    ],
    capacity: CHARACTERS_KEPT,
    sizeOf: ({ content }) => content.length + PROMPT_OVERHEAD,
  })

  async function findOptionalPrompt({ id, user }: { id: number; user: User | null }) {
    const found = await findCachedPrompt(id)
    return found && recordFor(found, user?.id)
  }

  async function requireReferences(tx: Transaction, { categoryId, tagIds = [] }: Partial<PromptFields>) {
    if (categoryId !== undefined && !(await lockCategory(tx, categoryId))) {
      throw fieldError('categoryId', 'This category does not exist')
    }
    await tags.requireAll(tx, { kind: 'prompt', ids: tagIds })
  }

  /** Writes the fields, and a version when title or content is another (D15). */
  async function write(
    tx: Transaction,
    { prompt, fields, user }: { prompt: PromptRecord; fields: Partial<PromptFields>; user: User },
  ): Promise<Prompt> {
    const { tagIds, note, ...columns } = fields
    const { slug } = columns
    requirePublisher({ user, prompt, isPublic: columns.isPublic })
    refuseClip({ text: columns.content, stored: prompt.content, details: () => toPrompt(prompt, user) })
    await requireReferences(tx, fields)
    const { title, content } = { ...prompt, ...columns }
    const changed = title !== prompt.title || content !== prompt.content
    const version = changed ? prompt.version + 1 : prompt.version
    if (changed) {
      const text = { title, content, note }
      await createPromptVersion(tx, { promptId: prompt.id, number: version, ...text, authorId: user.id })
    } else if (note) throw nothingToNote(version)
    if (slug !== undefined && slug !== prompt.slug)
      await claimSlug(tx, { kind: 'prompt', id: prompt.id, slug })
    await updatePrompt(tx, { id: prompt.id, version, ...columns })
    if (tagIds !== undefined) await replacePromptTags(tx, { promptId: prompt.id, tagIds })
    return toPrompt(await findPrompt(tx, { id: prompt.id, viewerId: user.id }), user)
  }

  /** In the caller's transaction. */
  async function createIn(
    tx: Transaction,
    { fields, user }: { fields: PromptFields; user: User },
  ): Promise<Prompt> {
    const { tagIds = [], note, slug, ...columns } = fields
    await requireReferences(tx, fields)
    const promptId = await createPrompt(tx, { ...columns, ownerId: user.id })
    if (slug !== undefined) {
      await claimSlug(tx, { kind: 'prompt', id: promptId, slug })
      await updatePromptSlug(tx, { id: promptId, slug })
    }
    const { title, content } = fields
    await createPromptVersion(tx, { promptId, number: 1, title, content, note, authorId: user.id })
    await replacePromptTags(tx, { promptId, tagIds })
    return toPrompt(await findPrompt(tx, { id: promptId, viewerId: user.id }), user)
  }

  return {
    ...createPromptLists({ db }),
    ...createPromptVersions({ db, findOptionalPrompt, write }),
    createIn,

    /** Throws `not_found` for a prompt that the viewer can't see. */
    async find({ id, user }: { id: number; user: User | null }): Promise<Prompt> {
      return toPrompt(requireVisible(await findOptionalPrompt({ id, user }), user), user)
    },

    /** By a slug that it has or had; throws `not_found` alike where there is none. */
    async findBySlug({ slug, user }: { slug: string; user: User | null }): Promise<Prompt> {
      const id = await requireIdBySlug(db, { kind: 'prompt', slug })
      return toPrompt(requireVisible(await findOptionalPrompt({ id, user }), user), user)
    },

    /** Those of the ids that the viewer can see, by id, with the beginnings of their contents; runs in the caller's transaction. */
    async listVisibleClips(
      executor: Executor,
      { ids, user }: { ids: number[]; user: User | null },
    ): Promise<Map<number, PromptText & ReturnType<typeof clipFields>>> {
      if (ids.length === 0) return new Map()
      const rows = await listPromptClips(executor, { ids, viewerId: user?.id })
      return new Map(
        rows.map(({ contentLength, ...row }) => [row.id, { ...row, ...clipFields(contentLength) }]),
      )
    },

    /** Those of the ids that the person can see, by id, kept from being deleted until the transaction ends. */
    async lockVisible(
      tx: Transaction,
      { ids, user }: { ids: number[]; user: User },
    ): Promise<Map<number, PromptText>> {
      if (ids.length === 0) return new Map()
      return byId(await listPromptTexts(tx, { ids, viewerId: user.id }).for('key share'))
    },

    create: (wanted: { fields: PromptFields; user: User }): Promise<Prompt> =>
      db.transaction((tx) => createIn(tx, wanted)),

    /** An absent optional field stays as it is. Throws `conflict` with the current prompt as details. */
    save({ fields, ...change }: Change & { fields: PromptFields }): Promise<Prompt> {
      return db.transaction(async (tx) => {
        const prompt = await openForChange(tx, change)
        return write(tx, { prompt, fields, user: change.user })
      })
    },

    share({ isPublic, ...change }: Change & { isPublic: boolean }): Promise<Prompt> {
      return db.transaction(async (tx) => {
        const prompt = await openForChange(tx, change)
        requirePublisher({ user: change.user, prompt, isPublic })
        // The form shares after each save: what changes nothing makes no new revision.
        if (isPublic === prompt.isPublic) return toPrompt(prompt, change.user)
        await updatePromptSwitches(tx, { id: prompt.id, isPublic })
        return toPrompt({ ...prompt, isPublic, revision: prompt.revision + 1 }, change.user)
      })
    },

    /** Without `isActive` the state changes over. */
    toggle({ isActive, ...change }: Change & { isActive?: boolean | undefined }): Promise<Prompt> {
      return db.transaction(async (tx) => {
        const prompt = await openForChange(tx, change)
        const wanted = isActive ?? !prompt.isActive
        if (wanted === prompt.isActive) return toPrompt(prompt, change.user)
        await updatePromptSwitches(tx, { id: prompt.id, isActive: wanted })
        return toPrompt({ ...prompt, isActive: wanted, revision: prompt.revision + 1 }, change.user)
      })
    },

    async delete(change: Change): Promise<void> {
      const open = async (tx: Transaction) => {
        const prompt = await openForChange(tx, change)
        if (!canDeletePrompt(change.user, prompt)) {
          throw new AppError('forbidden', 'You may not delete this prompt')
        }
        return prompt.id
      }
      await releaseRunsOfPrompt(db, await db.transaction(open))
      await db.transaction(async (tx) => deletePrompt(tx, await open(tx)))
    },

    /** In the caller's transaction; the caller has checked the person's rights. */
    deleteIn: (tx: Transaction, id: number): Promise<void> => deletePrompt(tx, id),

    /** An own private copy with its tags; who the prompt is shared with stays with the prompt. */
    duplicate({ id, user }: { id: number; user: User }): Promise<Prompt> {
      return db.transaction(async (tx) => {
        const viewerId = user.id
        const source = requireVisible(await lockOptionalPrompt(tx, { id, viewerId }), user)
        const title = nameOfCopy(source.title, PROMPT_TITLE_MAX)
        const promptId = await copyPrompt(tx, { id, title, ownerId: user.id })
        const { content } = source
        await createPromptVersion(tx, { promptId, number: 1, title, content, authorId: user.id })
        await replacePromptTags(tx, { promptId, tagIds: source.tags.map((tag) => tag.id) })
        return toPrompt(await findPrompt(tx, { id: promptId, viewerId }), user)
      })
    },
  }
}

/** An editor may repeat the level, as the form does with each save. */
function requirePublisher({
  user,
  prompt,
  isPublic = prompt.isPublic,
}: {
  user: User
  prompt: PromptRecord
  isPublic?: boolean | undefined
}) {
  if (isPublic === prompt.isPublic || canPublishPrompt(user, prompt)) return
  throw new AppError('forbidden', 'Only the owner may change who sees this prompt')
}

function byId(prompts: PromptText[]): Map<number, PromptText> {
  return new Map(prompts.map((prompt) => [prompt.id, prompt]))
}
