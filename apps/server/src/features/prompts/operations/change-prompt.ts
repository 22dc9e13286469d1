import {
  PROMPT_SETTINGS,
  PROMPT_TITLE_MAX,
  type Prompt,
  type SavePromptRequest,
  type User,
} from '@catenary/contracts'
import { namedAfter, textNames } from '../../../consent.ts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { refuseClip } from '../../../list-page.ts'
import { promptSettingsOf, splitPromptSettings } from '../../../model-settings.ts'
import { nameOfCopy } from '../../../name-of-copy.ts'
import type { Change } from '../../../record-access.ts'
import { nothingToNote } from '../../records/records.ts'
import { claimSlug, notOwnSlug } from '../../slugs/slugs.ts'
import { openForChange, requireVisible, toPrompt } from '../prompt-access.service.ts'
import { endLostPromptAcceptances } from '../prompt-offers.repository.ts'
import type { PromptRecord } from '../prompt-record.ts'
import {
  findOptionalPromptVersion,
  insertPromptVersion,
  updateVersionNames,
} from '../prompt-versions.repository.ts'
import { canDeletePrompt, canNamePrompt, canPublishPrompt } from '../prompts.policy.ts'
import {
  copyPrompt,
  deletePromptRow,
  findPrompt,
  insertPrompt,
  lockCategory,
  lockOptionalPrompt,
  releaseRunsOfPrompt,
  replacePromptTags,
  updatePromptRow,
  updatePromptSlug,
  updatePromptSwitches,
} from '../prompts.repository.ts'
import type { PromptsDeps } from '../prompts-deps.ts'

type PromptFields = Omit<SavePromptRequest, 'revision'>

interface ShownText {
  /** The person saves what a form showed them: names in it may become their own (D69). */
  isShown: boolean
}

export interface NewPrompt extends ShownText {
  fields: PromptFields
  user: User
}

export function createPrompt(deps: PromptsDeps, wanted: Omit<NewPrompt, 'isShown'>): Promise<Prompt> {
  deps.registry.requireChosen(wanted)
  return deps.db.transaction((tx) => createPromptIn(deps, tx, { ...wanted, isShown: true }))
}

/** In the caller's transaction. */
export async function createPromptIn(
  deps: Pick<PromptsDeps, 'tags'>,
  tx: Transaction,
  { fields, user, isShown }: NewPrompt,
): Promise<Prompt> {
  const { columns, settings } = splitPromptSettings(fields)
  const { tagIds = [], note, slug, ...own } = columns
  await requireReferences(deps, tx, fields)
  const names = textNames({ content: fields.content, settings })
  const namedBy = namedAfter({ before: {}, names, userId: user.id, isShown })
  const id = await insertPrompt(tx, { ...own, settings, namedBy, ownerId: user.id })
  if (slug !== undefined) {
    await claimSlug(tx, { kind: 'prompt', id, ownerId: user.id, slug })
    await updatePromptSlug(tx, { id, slug })
  }
  const { title, content } = fields
  await insertPromptVersion(tx, {
    promptId: id,
    number: 1,
    title,
    content,
    settings,
    namedBy,
    note,
    authorId: user.id,
  })
  await replacePromptTags(tx, { promptId: id, tagIds })
  return readSaved(tx, { id, user })
}

/** An absent optional field stays as it is. Throws `conflict` with the current prompt as details. */
export function savePrompt(deps: PromptsDeps, wanted: Change & { fields: PromptFields }): Promise<Prompt> {
  return deps.db.transaction((tx) => savePromptIn(deps, tx, { ...wanted, isShown: true }))
}

/** In the caller's transaction. */
export async function savePromptIn(
  deps: PromptsDeps,
  tx: Transaction,
  { fields, isShown, ...change }: Change & ShownText & { fields: Partial<PromptFields> },
): Promise<Prompt> {
  const prompt = await openForChange(tx, change)
  deps.registry.requireChosen({ fields, before: prompt, user: change.user })
  return write(deps, tx, { prompt, fields, isShown, user: change.user })
}

/** Saves an older version's title, content and settings as a new version; undefined where there is none of that number. */
export async function restorePromptVersion(
  deps: PromptsDeps,
  tx: Transaction,
  { number, ...change }: Change & { number: number },
): Promise<Prompt | undefined> {
  const prompt = await openForChange(tx, change)
  const version = await findOptionalPromptVersion(tx, { id: prompt.id, number })
  if (version === undefined) return undefined
  const { title, content } = version
  const settings = Object.fromEntries(PROMPT_SETTINGS.map((name) => [name, version[name] ?? null]))
  const fields = { title, content, ...settings }
  return write(deps, tx, { prompt, fields, isShown: false, user: change.user })
}

/** Writes the fields, and a version when title, content or a setting is another (D15). */
async function write(
  deps: PromptsDeps,
  tx: Transaction,
  {
    prompt,
    fields,
    isShown,
    user,
  }: ShownText & { prompt: PromptRecord; fields: Partial<PromptFields>; user: User },
): Promise<Prompt> {
  const before = promptSettingsOf(prompt)
  const split = splitPromptSettings(fields, before)
  const { settings } = split
  const { tagIds, note, ...columns } = split.columns
  const { slug } = columns
  const { id } = prompt
  requirePublisher({ user, prompt, isPublic: columns.isPublic })
  refuseClip({ text: columns.content, stored: prompt.content, details: () => toPrompt(prompt, user) })
  await requireReferences(deps, tx, fields)
  const { title, content } = { ...prompt, ...columns }
  // The order of a schema's fields counts: a model is told them in it.
  const isSame = JSON.stringify(settings) === JSON.stringify(before)
  const changed = title !== prompt.title || content !== prompt.content || !isSame
  const version = changed ? prompt.version + 1 : prompt.version
  const names = textNames({ content, settings })
  const namedBy = namedAfter({ before: prompt.namedBy, names, userId: user.id, isShown })
  if (changed) {
    await insertPromptVersion(tx, {
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
  else if (isShown) await updateVersionNames(tx, { promptId: id, number: version, namedBy })
  if (slug !== undefined && slug !== prompt.slug) {
    if (!canNamePrompt(user, prompt)) throw notOwnSlug()
    await claimSlug(tx, { kind: 'prompt', id, ownerId: prompt.ownerId, slug })
  }
  await updatePromptRow(tx, { id, version, ...columns, title, content, settings, namedBy })
  if (columns.isPublic === false && prompt.isPublic) await endLostPromptAcceptances(tx, id)
  if (tagIds !== undefined) await replacePromptTags(tx, { promptId: id, tagIds })
  return readSaved(tx, { id, user })
}

async function requireReferences(
  { tags }: Pick<PromptsDeps, 'tags'>,
  tx: Transaction,
  { categoryId, tagIds = [] }: Partial<PromptFields>,
): Promise<void> {
  if (categoryId !== undefined && !(await lockCategory(tx, categoryId))) {
    throw fieldError('categoryId', 'This category does not exist')
  }
  await tags.requireAll(tx, { kind: 'prompt', ids: tagIds })
}

async function readSaved(tx: Transaction, { id, user }: { id: number; user: User }): Promise<Prompt> {
  return toPrompt(await findPrompt(tx, { id, viewerId: user.id }), user)
}

/** Makes it public or private. */
export function sharePrompt(
  { db }: PromptsDeps,
  { isPublic, ...change }: Change & { isPublic: boolean },
): Promise<Prompt> {
  return db.transaction(async (tx) => {
    const prompt = await openForChange(tx, change)
    requirePublisher({ user: change.user, prompt, isPublic })
    return flip(tx, { prompt, user: change.user, switches: { isPublic } })
  })
}

/** Without `isActive` the state changes over. */
export function togglePrompt(
  { db }: PromptsDeps,
  { isActive, ...change }: Change & { isActive?: boolean | undefined },
): Promise<Prompt> {
  return db.transaction(async (tx) => {
    const prompt = await openForChange(tx, change)
    return flip(tx, { prompt, user: change.user, switches: { isActive: isActive ?? !prompt.isActive } })
  })
}

type Switches = Partial<Pick<PromptRecord, 'isPublic' | 'isActive'>>

/** The form does so after each save: what changes nothing makes no new revision. */
async function flip(
  tx: Transaction,
  { prompt, user, switches }: { prompt: PromptRecord; user: User; switches: Switches },
): Promise<Prompt> {
  const { isPublic, isActive, revision } = { ...prompt, ...switches }
  if (isPublic === prompt.isPublic && isActive === prompt.isActive) return toPrompt(prompt, user)
  await updatePromptSwitches(tx, { id: prompt.id, ...switches })
  if (prompt.isPublic && !isPublic) await endLostPromptAcceptances(tx, prompt.id)
  return toPrompt({ ...prompt, ...switches, revision: revision + 1 }, user)
}

/** With its versions; its runs stay. */
export async function deletePrompt({ db }: PromptsDeps, change: Change): Promise<void> {
  await releaseRunsOfPrompt(db, await db.transaction((tx) => openForDeletion(tx, change)))
  await db.transaction(async (tx) => deletePromptRow(tx, await openForDeletion(tx, change)))
}

/** In the caller's transaction; the caller has checked the person's rights. */
export function deletePromptIn(tx: Transaction, id: number): Promise<void> {
  return deletePromptRow(tx, id)
}

async function openForDeletion(tx: Transaction, change: Change): Promise<number> {
  const prompt = await openForChange(tx, change)
  if (canDeletePrompt(change.user, prompt)) return prompt.id
  throw new AppError('forbidden', 'You may not delete this prompt')
}

/** An own private copy with its tags; who the prompt is shared with stays with the prompt. */
export function duplicatePrompt(
  { db }: PromptsDeps,
  { id, user }: { id: number; user: User },
): Promise<Prompt> {
  return db.transaction(async (tx) => {
    const source = requireVisible(await lockOptionalPrompt(tx, { id, viewerId: user.id }), user)
    const { content, tags } = source
    const settings = promptSettingsOf(source)
    const names = textNames({ content, settings })
    const title = nameOfCopy(source.title, PROMPT_TITLE_MAX)
    const copyId = await copyPrompt(tx, { id, texts: { title, content, settings }, ownerId: user.id })
    await insertPromptVersion(tx, {
      promptId: copyId,
      number: 1,
      title,
      content,
      settings,
      namedBy: namedAfter({ before: {}, names, userId: user.id, isShown: false }),
      authorId: user.id,
    })
    await replacePromptTags(tx, { promptId: copyId, tagIds: tags.map((tag) => tag.id) })
    return readSaved(tx, { id: copyId, user })
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
