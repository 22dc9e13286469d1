import type { NamedBy, Prompt, PromptVersion, User } from '@catenary/contracts'
import { othersNamesOf, textNames } from '../../../consent.ts'
import type { Executor, Transaction } from '../../../db/executor.ts'
import { clipFields } from '../../../list-page.ts'
import { promptSettingsOf } from '../../../model-settings.ts'
import { requireVersion } from '../../records/records.ts'
import { requireIdBySlug } from '../../slugs/slugs.ts'
import { requireChangeable, requireVisible, toPrompt } from '../prompt-access.service.ts'
import { recordFor } from '../prompt-record.ts'
import { findOptionalPromptVersion } from '../prompt-versions.repository.ts'
import { canSeePrompt } from '../prompts.policy.ts'
import { listPromptClips, listPromptTexts } from '../prompts.repository.ts'
import type { PromptsDeps } from '../prompts-deps.ts'

export interface WantedPrompt {
  id: number
  user: User | null
}

export interface WantedPromptVersion {
  id: number
  number: number
  user: User
}

type PromptText = Pick<Prompt, 'id' | 'title' | 'content' | 'version'>

/** Throws `not_found` for a prompt that the viewer can't see. */
export async function readPrompt(deps: PromptsDeps, { id, user }: WantedPrompt): Promise<Prompt> {
  return toPrompt(requireVisible(await findCachedPrompt(deps, { id, user }), user), user)
}

/** The one that the viewer means by a slug (D48); throws `not_found` alike where there is none. */
export async function readPromptBySlug(
  deps: PromptsDeps,
  { slug, user }: { slug: string; user: User | null },
): Promise<Prompt> {
  const id = await requireIdBySlug(deps.db, { kind: 'prompt', slug, viewerId: user?.id })
  return readPrompt(deps, { id, user })
}

/** For users who may change the prompt, as older versions may predate its becoming public. */
export async function readPromptVersion(
  deps: PromptsDeps,
  { id, number, user }: WantedPromptVersion,
): Promise<PromptVersion> {
  requireChangeable(await findCachedPrompt(deps, { id, user }), user)
  const found = requireVersion(await findOptionalPromptVersion(deps.db, { id, number }))
  return withOthersNames(found, user)
}

/** What the viewer did not bring in of a version, in place of who did. */
export function withOthersNames(
  { namedBy, ...version }: PromptVersion & { namedBy: NamedBy },
  viewer: User | null,
): PromptVersion {
  const names = textNames({ ...version, settings: promptSettingsOf(version) })
  return { ...version, othersNames: othersNamesOf(names, { namedBy, userId: viewer?.id }) }
}

/** One that the viewer can't see is read from the database like one that is not there: time would tell them apart. */
async function findCachedPrompt({ findCached, load }: PromptsDeps, { id, user }: WantedPrompt) {
  const known = findCached.peek(id)
  const isSeen = known !== undefined && canSeePrompt(user, recordFor(known, user?.id))
  const found = isSeen ? known : await (known === undefined ? findCached(id) : load(id))
  return found && recordFor(found, user?.id)
}

/** Those of the ids that the viewer can see, by id, with the beginnings of their contents; runs in the caller's transaction. */
export async function listVisibleClips(
  executor: Executor,
  { ids, user }: { ids: number[]; user: User | null },
): Promise<Map<number, PromptText & { namedBy: NamedBy } & ReturnType<typeof clipFields>>> {
  if (ids.length === 0) return new Map()
  const rows = await listPromptClips(executor, { ids, viewerId: user?.id })
  return new Map(rows.map(({ contentLength, ...row }) => [row.id, { ...row, ...clipFields(contentLength) }]))
}

/** Those of the ids that the person can see, by id, kept from being deleted until the transaction ends. */
export async function lockVisiblePrompts(
  tx: Transaction,
  { ids, user }: { ids: number[]; user: User },
): Promise<Map<number, PromptText>> {
  if (ids.length === 0) return new Map()
  const rows = await listPromptTexts(tx, { ids, viewerId: user.id }).for('key share')
  return new Map(rows.map((row) => [row.id, row]))
}
