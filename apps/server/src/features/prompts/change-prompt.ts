import {
  type BulkPromptsRequest,
  type BulkReply,
  PROMPT_SETTINGS,
  PROMPT_TITLE_MAX,
  type Prompt,
  type SavePromptRequest,
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
import { claimSlug, notOwnSlug, replaceTags, requireCategory, requireTags } from '../library/library.ts'
import { requireChosenModels } from '../models/models.ts'
import type { Change } from '../records/records.ts'
import {
  canNameRecord,
  changeEach,
  endLostAcceptances,
  namedAfter,
  nameOfCopy,
  nothingToNote,
  promptSettingsOf,
  splitPromptSettings,
  tagIdsAfter,
  textNames,
} from '../records/records.ts'
import { findOptionalPromptVersion, insertPromptVersion, updateVersionNames } from './prompt-versions.sql.ts'
import { canDeletePrompt, canPublishPrompt } from './prompts.policy.ts'
import type { PromptRecord } from './prompts.sql.ts'
import {
  copyPrompt,
  deletePromptRow,
  findPrompt,
  insertPrompt,
  lockOptionalPrompt,
  releaseRunsOfPrompt,
  updatePromptRow,
  updatePromptSlug,
  updatePromptSwitches,
} from './prompts.sql.ts'
import { openForChange, requireVisible, toPrompt } from './read-prompts.ts'

type PromptFields = Omit<SavePromptRequest, 'revision'>

interface ShownText {
  /** The person saves what a form showed them: names in it may become their own (D69). */
  isShown: boolean
}

export interface NewPrompt extends ShownText {
  fields: PromptFields
  user: User
}

/** As a form saves it: the model is one that the person may choose. */
export function createChosenPrompt(ctx: Context, wanted: Omit<NewPrompt, 'isShown'>): Promise<Prompt> {
  requireChosenModels(ctx, wanted)
  return transaction(ctx, (ctx) => createPrompt(ctx, { ...wanted, isShown: true }))
}

export async function createPrompt(
  ctx: ActorContext<Transaction>,
  { fields, user, isShown }: NewPrompt,
): Promise<Prompt> {
  const { db } = ctx
  const { columns, settings } = splitPromptSettings(fields)
  const { tagIds = [], note, slug, ...own } = columns
  await requireReferences(ctx, fields)
  const names = textNames({ content: fields.content, settings })
  const namedBy = namedAfter({ before: {}, names, userId: user.id, isShown })
  const id = await insertPrompt(db, { ...own, settings, namedBy, ownerId: user.id })
  if (slug !== undefined) {
    await claimSlug(ctx, { kind: 'prompt', id, ownerId: user.id, slug })
    await updatePromptSlug(db, { id, slug })
  }
  const { title, content } = fields
  await insertPromptVersion(db, {
    promptId: id,
    number: 1,
    title,
    content,
    settings,
    namedBy,
    note,
    authorId: user.id,
  })
  await replaceTags(db, { kind: 'prompt', id, tagIds })
  await recordActivity(ctx, { kind: 'prompt.created', object: 'prompt', id })
  return readSaved(ctx, { id, user })
}

/** An absent optional field stays as it is. Throws `conflict` with the current prompt as details. */
export function savePrompt(
  ctx: Context,
  { fields, isShown, ...change }: Change & ShownText & { fields: Partial<PromptFields> },
): Promise<Prompt> {
  return transaction(ctx, async (ctx) => {
    const prompt = await openForChange(ctx, change)
    requireChosenModels(ctx, { fields, before: prompt, user: change.user })
    return write(ctx, { kind: 'prompt.changed', prompt, fields, isShown, user: change.user })
  })
}

/** Saves an older version's title, content and settings as a new version; undefined where there is none of that number. */
export function restorePromptVersion(
  ctx: Context,
  { number, ...change }: Change & { number: number },
): Promise<Prompt | undefined> {
  return transaction(ctx, async (ctx) => {
    const prompt = await openForChange(ctx, change)
    const version = await findOptionalPromptVersion(ctx.db, { id: prompt.id, number })
    if (version === undefined) return undefined
    const { title, content } = version
    const settings = Object.fromEntries(PROMPT_SETTINGS.map((name) => [name, version[name] ?? null]))
    const fields = { title, content, ...settings }
    return write(ctx, { kind: 'prompt.version_restored', prompt, fields, isShown: false, user: change.user })
  })
}

interface Written extends ShownText {
  kind: 'prompt.changed' | 'prompt.version_restored'
  prompt: PromptRecord
  fields: Partial<PromptFields>
  user: User
}

/** Writes the fields, and a version when title, content or a setting is another (D15). */
async function write(
  ctx: ActorContext<Transaction>,
  { kind, prompt, fields, isShown, user }: Written,
): Promise<Prompt> {
  const { db } = ctx
  const before = promptSettingsOf(prompt)
  const split = splitPromptSettings(fields, before)
  const { settings } = split
  const { tagIds, note, ...columns } = split.columns
  const { slug } = columns
  const { id } = prompt
  requirePublisher({ user, prompt, isPublic: columns.isPublic })
  refuseClip({ text: columns.content, stored: prompt.content, details: () => toPrompt(prompt, user) })
  await requireReferences(ctx, fields)
  const { title, content } = { ...prompt, ...columns }
  // The order of a schema's fields counts: the model sees it.
  const isSame = JSON.stringify(settings) === JSON.stringify(before)
  const changed = title !== prompt.title || content !== prompt.content || !isSame
  const version = changed ? prompt.version + 1 : prompt.version
  const names = textNames({ content, settings })
  const namedBy = namedAfter({ before: prompt.namedBy, names, userId: user.id, isShown })
  if (changed) {
    await insertPromptVersion(db, {
      promptId: id,
      number: version,
      title,
      content,
      settings,
      namedBy,
      note,
      authorId: user.id,
    })
  } else if (note) throw nothingToNote(version)
  else if (isShown) await updateVersionNames(db, { promptId: id, number: version, namedBy })
  if (slug !== undefined && slug !== prompt.slug) {
    if (!canNameRecord(user, prompt)) throw notOwnSlug()
    await claimSlug(ctx, { kind: 'prompt', id, ownerId: prompt.ownerId, slug })
  }
  await updatePromptRow(db, { id, version, ...columns, title, content, settings, namedBy })
  if (columns.isPublic === false && prompt.isPublic) await endLostAcceptances(db, { kind: 'prompt', id })
  if (tagIds !== undefined) await replaceTags(db, { kind: 'prompt', id, tagIds })
  await recordChange(ctx, { kind, before: prompt, after: { ...prompt, ...columns, version } })
  return readSaved(ctx, { id, user })
}

type Facts = Pick<PromptRecord, 'version' | 'isActive' | 'isPublic'>

function recordChange(
  ctx: ActorContext<Transaction>,
  { kind, before, after }: Pick<Written, 'kind'> & { before: PromptRecord; after: Facts },
): Promise<void> {
  const { id, ownerId } = before
  const [was, is] = [before, after].map(({ version, isActive, isPublic }) => ({
    version,
    isActive,
    sharedLevel: isPublic ? 'public' : 'private',
  }))
  return recordActivity(ctx, { kind, object: 'prompt', id, ownerId, before: was, after: is })
}

async function requireReferences(
  ctx: SqlContext<Transaction>,
  { categoryId, tagIds = [] }: Partial<PromptFields>,
): Promise<void> {
  if (categoryId !== undefined) await requireCategory(ctx, categoryId)
  await requireTags(ctx, { kind: 'prompt', ids: tagIds })
}

async function readSaved({ db }: SqlContext, { id, user }: { id: number; user: User }): Promise<Prompt> {
  return toPrompt(await findPrompt(db, { id, viewerId: user.id }), user)
}

export function sharePrompt(
  ctx: Context,
  { isPublic, ...change }: Change & { isPublic: boolean },
): Promise<Prompt> {
  return transaction(ctx, async (ctx) => {
    const prompt = await openForChange(ctx, change)
    requirePublisher({ user: change.user, prompt, isPublic })
    return flip(ctx, { prompt, user: change.user, switches: { isPublic } })
  })
}

/** Without `isActive` the switch flips. */
export function togglePrompt(
  ctx: Context,
  { isActive, ...change }: Change & { isActive?: boolean | undefined },
): Promise<Prompt> {
  return transaction(ctx, async (ctx) => {
    const prompt = await openForChange(ctx, change)
    return flip(ctx, { prompt, user: change.user, switches: { isActive: isActive ?? !prompt.isActive } })
  })
}

type Switches = Partial<Pick<PromptRecord, 'isPublic' | 'isActive'>>

/** The form does so after each save: what changes nothing makes no new revision. */
async function flip(
  ctx: ActorContext<Transaction>,
  { prompt, user, switches }: { prompt: PromptRecord; user: User; switches: Switches },
): Promise<Prompt> {
  const { db } = ctx
  const { isPublic, isActive, revision } = { ...prompt, ...switches }
  if (isPublic === prompt.isPublic && isActive === prompt.isActive) return toPrompt(prompt, user)
  await updatePromptSwitches(db, { id: prompt.id, ...switches })
  if (prompt.isPublic && !isPublic) await endLostAcceptances(db, { kind: 'prompt', id: prompt.id })
  await recordChange(ctx, { kind: 'prompt.changed', before: prompt, after: { ...prompt, ...switches } })
  return toPrompt({ ...prompt, ...switches, revision: revision + 1 }, user)
}

/** Each by its own right; those that fail stay as they were. Throws `invalid` where there is no such tag or category. */
export async function changePrompts(
  ctx: AppContext,
  { user, ...wanted }: BulkPromptsRequest & { user: User },
): Promise<BulkReply> {
  const { ids } = wanted
  switch (wanted.action) {
    case 'tag':
    case 'untag': {
      const { tagId, action } = wanted
      await transaction(ctx, (ctx) => requireTags(ctx, { kind: 'prompt', ids: [tagId] }))
      return changeEach(ids, (id) => sort(ctx, { id, user, tag: { tagId, isOn: action === 'tag' } }))
    }
    case 'move': {
      const { categoryId } = wanted
      await transaction(ctx, (ctx) => requireCategory(ctx, categoryId))
      return changeEach(ids, (id) => sort(ctx, { id, user, categoryId }))
    }
    case 'delete':
      return changeEach(ids, (id) => deletePrompt(ctx, { id, user }))
    default: {
      const isActive = wanted.action === 'activate'
      return changeEach(ids, (id) => togglePrompt(ctx, { id, user, isActive }))
    }
  }
}

/** Gives a prompt another tag or category, where that changes anything. */
function sort(
  ctx: Context,
  { tag, categoryId, ...change }: Change & { tag?: { tagId: number; isOn: boolean }; categoryId?: number },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const prompt = await openForChange(ctx, change)
    const tagIds = tag && tagIdsAfter(prompt.tags, tag)
    const isMoved = categoryId !== undefined && categoryId !== prompt.categoryId
    if (tagIds === undefined && !isMoved) return
    const fields = { ...(tagIds && { tagIds }), ...(isMoved && { categoryId }) }
    await write(ctx, { kind: 'prompt.changed', prompt, fields, isShown: false, user: change.user })
  })
}

/** With its versions; its runs stay. */
export async function deletePrompt(ctx: AppContext, change: Change): Promise<void> {
  const { id } = await transaction(ctx, (ctx) => openForDeletion(ctx, change))
  await releaseRunsOfPrompt(ctx.db, id)
  await transaction(ctx, async (ctx) => {
    const { ownerId } = await openForDeletion(ctx, change)
    await deletePromptRow(ctx.db, id)
    await recordActivity(ctx, { kind: 'prompt.deleted', object: 'prompt', id, ownerId })
  })
}

async function openForDeletion(ctx: SqlContext<Transaction>, change: Change): Promise<PromptRecord> {
  const prompt = await openForChange(ctx, change)
  if (canDeletePrompt(change.user, prompt)) return prompt
  throw new AppError('forbidden', 'You can’t delete this prompt')
}

/** An own private copy with its tags; who the prompt is shared with stays with the prompt. */
export function duplicatePrompt(ctx: Context, { id, user }: { id: number; user: User }): Promise<Prompt> {
  return transaction(ctx, async (ctx) => {
    const source = requireVisible(await lockOptionalPrompt(ctx.db, { id, viewerId: user.id }), user)
    const { content, tags } = source
    const settings = promptSettingsOf(source)
    const names = textNames({ content, settings })
    const title = nameOfCopy(source.title, PROMPT_TITLE_MAX)
    const copyId = await copyPrompt(ctx.db, { id, texts: { title, content, settings }, ownerId: user.id })
    await insertPromptVersion(ctx.db, {
      promptId: copyId,
      number: 1,
      title,
      content,
      settings,
      namedBy: namedAfter({ before: {}, names, userId: user.id, isShown: false }),
      authorId: user.id,
    })
    await replaceTags(ctx.db, { kind: 'prompt', id: copyId, tagIds: tags.map((tag) => tag.id) })
    await recordActivity(ctx, { kind: 'prompt.duplicated', object: 'prompt', id: copyId })
    return readSaved(ctx, { id: copyId, user })
  })
}

interface Publication {
  user: User
  prompt: PromptRecord
  isPublic?: boolean | undefined
}

/** An editor may repeat the level, as the form does with each save. */
function requirePublisher({ user, prompt, isPublic = prompt.isPublic }: Publication): void {
  if (isPublic === prompt.isPublic || canPublishPrompt(user, prompt)) return
  throw new AppError('forbidden', 'Only the owner may change who sees this prompt')
}
