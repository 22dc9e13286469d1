import type { ChainStep, NamedBy, PromptSettings, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { fieldError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import { clipFields } from '../../platform/list-page.ts'
import { canEditRecord } from '../records/records.ts'
import { hasLabel, listReferencedVersions, type VersionReference } from './prompt-versions.sql.ts'
import { findPrompt, listPromptTexts } from './prompts.sql.ts'
import { listVisibleClips, lockVisiblePrompts } from './read-prompts.ts'

/** Which text of which prompt runs: that of a label, of a version, or the current one (D29, D47). */
export type PromptLink = Pick<ChainStep, 'promptId' | 'promptLabel' | 'promptVersion'>

type LinkedText = NonNullable<ChainStep['linkedPrompt']> &
  ReturnType<typeof clipFields> & {
    namedBy?: NamedBy
    settings?: PromptSettings | null
  }

/** Null where the viewer does not see the prompt, or none is linked; undefined where its label or version is gone. */
export type FindLinkedText = (link: PromptLink) => LinkedText | null | undefined

interface Linked {
  links: readonly PromptLink[]
  viewer: User | null
  isClipped?: boolean
}

interface NewLink {
  link: PromptLink & { promptId: number }
  user: User
}

/** The text that each link resolves to for this viewer; runs in the caller's transaction. */
export async function readLinkedTexts(
  ctx: SqlContext,
  { links, viewer, isClipped = false }: Linked,
): Promise<FindLinkedText> {
  const ids = links.flatMap(({ promptId }) => promptId ?? [])
  const current = await listCurrent(ctx, { ids, viewer, isClipped })
  const references = links.flatMap(referenceOf).filter(({ promptId }) => current.has(promptId))
  const texts = await listReferenced(ctx, { references, isClipped })
  return (link) => {
    const shown = current.get(link.promptId ?? 0)
    const [reference] = referenceOf(link)
    if (shown === undefined) return null
    return reference === undefined ? shown : texts.get(keyOf(reference))
  }
}

/** The text of a link that is made; its prompt and label stay until the transaction ends. Throws `invalid` unless the person may know it. */
export async function lockLinkedText(
  ctx: SqlContext<Transaction>,
  { link, user }: NewLink,
): Promise<LinkedText> {
  const { promptId: id, promptLabel: label, promptVersion: number } = link
  const current = (await lockVisiblePrompts(ctx, { ids: [id], user })).get(id)
  if (current === undefined) throw fieldError('promptId', `There is no prompt with the id ${id}`)
  const references = referenceOf(link)
  const [text = references.length === 0 ? current : undefined] = (
    await listReferenced(ctx, { references, isClipped: false })
  ).values()
  if (label !== null && text === undefined)
    throw fieldError('promptLabel', `This prompt has no label “${label}”`)
  const isKnown =
    number === null || number === current.version || (await mayReadVersion(ctx, { id, number, user }))
  if (text === undefined || !isKnown)
    throw fieldError('promptVersion', `This prompt has no version ${number}`)
  return text
}

/** Older versions may predate the prompt's sharing: only editors see them, unless a label points to them. */
async function mayReadVersion(
  ctx: SqlContext<Transaction>,
  { id, number, user }: { id: number; number: number; user: User },
): Promise<boolean> {
  const prompt = await findPrompt(ctx.db, { id, viewerId: user.id })
  return canEditRecord(user, prompt) || hasLabel(ctx.db, { promptId: id, version: number })
}

interface Current {
  ids: number[]
  viewer: User | null
  isClipped: boolean
}

async function listCurrent(
  ctx: SqlContext,
  { ids, viewer, isClipped }: Current,
): Promise<Map<number, LinkedText>> {
  if (isClipped) return listVisibleClips(ctx, { ids, user: viewer })
  if (ids.length === 0) return new Map()
  const rows = await listPromptTexts(ctx.db, { ids, viewerId: viewer?.id })
  return new Map(rows.map((row) => [row.id, row]))
}

interface Referenced {
  references: readonly VersionReference[]
  isClipped: boolean
}

async function listReferenced(
  ctx: SqlContext,
  { references, isClipped }: Referenced,
): Promise<Map<string, LinkedText>> {
  if (references.length === 0) return new Map()
  const rows = await listReferencedVersions(ctx.db, { references, isClipped })
  return new Map(
    rows.map(({ reference, number: version, title, content, contentLength, settings, namedBy }) => {
      const text = { id: reference.promptId, title, content, version, namedBy }
      return [keyOf(reference), isClipped ? { ...text, ...clipFields(contentLength) } : { ...text, settings }]
    }),
  )
}

function referenceOf({
  promptId,
  promptLabel: label,
  promptVersion: number,
}: PromptLink): VersionReference[] {
  return promptId === null || (label === null && number === null) ? [] : [{ promptId, label, number }]
}

const keyOf = ({ promptId, label, number }: VersionReference): string =>
  JSON.stringify([promptId, label, number])
