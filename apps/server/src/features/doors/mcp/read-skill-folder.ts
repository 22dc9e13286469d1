import type { NamedBy, SkillPart, User } from '@catenary/contracts'
import { AppError, ifNotFound, isNotFound } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { findOptionalSkill } from '../../prompts/prompts.ts'
import { type Allowed, consentTo, othersNamesOf } from '../../records/records.ts'
import { describeNames, resolveVariables } from '../../variables/variables.ts'
import {
  findNamedPromptById,
  type NamedVersion,
  othersTextOf,
  toServedText,
} from '../prompt-server/prompt-server.ts'

export const SKILL_FILE = 'SKILL.md'
/** In UTF-16 units of all files together. */
const FOLDER_MAX = 4_000_000

export interface SkillFolder {
  promptId: number
  version: number
  /** By which it was found; null: by the number. */
  label: string | null
  /** By path; SKILL.md first. */
  files: Map<string, string>
}

interface WantedFolder {
  /** Whose rights and values count. */
  user: User
  /** What may be filled in of their private values where others brought the names in (D69). */
  allowed: Allowed
  prompt: { id: number; name: string }
  /** Undefined: `production`, else the newest. */
  choice: { label: string } | undefined
  /** Labels that may be served; none: any. */
  labels: string[]
  signal: AbortSignal
}

/** A prompt as SKILL.md, and beside it the texts of other prompts and of variables; undefined where the prompt is no skill, or has no such version for the person. */
export async function readSkillFolder(ctx: Context, wanted: WantedFolder): Promise<SkillFolder | undefined> {
  const { prompt } = wanted
  const stored = await findOptionalSkill(ctx.db, prompt.id)
  const found = stored && (await find(ctx, wanted).catch(ifNotFound))
  if (stored === undefined || found === undefined) return undefined
  const { version, label } = found
  const text = await textOf(ctx, wanted, found)
  const files = new Map([[SKILL_FILE, withFrontMatter({ ...stored, name: prompt.name, text })]])
  let size = text.length
  for (const part of stored.parts) {
    const read = await readPart(ctx, wanted, { ...part, namedBy: stored.namedBy })
    if (read === undefined) continue
    size += read.length
    if (size > FOLDER_MAX) throw new AppError('too_large', 'The files of this skill are too large together')
    files.set(part.path, read)
  }
  return { promptId: prompt.id, version: version.number, label, files }
}

function find(ctx: Context, { user, prompt, choice }: WantedFolder): Promise<NamedVersion> {
  return findNamedPromptById(ctx, { user, id: prompt.id, choice })
}

function readPart(
  ctx: Context,
  wanted: WantedFolder,
  { promptId, variable = '', namedBy }: SkillPart & { namedBy: NamedBy },
): Promise<string | undefined> {
  return promptId === undefined
    ? readVariable(ctx, wanted, { name: variable, namedBy })
    : readPrompt(ctx, wanted, promptId)
}

/** By the same label, else as the token serves it without one; what the person does not see is left out. */
async function readPrompt(ctx: Context, wanted: WantedFolder, promptId: number): Promise<string | undefined> {
  const { labels } = wanted
  const part = { ...wanted, prompt: { id: promptId, name: '' } }
  const found = await find(ctx, part).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error
    return labels.length > 0 ? undefined : find(ctx, { ...part, choice: undefined }).catch(ifNotFound)
  })
  if (found === undefined) return undefined
  return textOf(ctx, wanted, found)
}

async function textOf(
  ctx: Context,
  { user, allowed, signal }: WantedFolder,
  { prompt, version }: NamedVersion,
): Promise<string> {
  const { content, namedBy } = version
  const others = othersTextOf({ prompt, version: { content, namedBy, settings: null }, user })
  const consent = await consentTo([others], allowed)
  return toServedText(ctx, { content, user, resolve: true, consent, signal })
}

/** A text or an uploaded one: what is fetched from elsewhere may be another text each time. */
async function readVariable(
  ctx: Context,
  { user, allowed, prompt: { id }, signal }: WantedFolder,
  { name, namedBy }: { name: string; namedBy: NamedBy },
): Promise<string | undefined> {
  const others = othersNamesOf([name.toLowerCase()], { namedBy, userId: user.id })
  const consent = await consentTo([{ kind: 'prompt', id, names: others }], allowed)
  const known = (await describeNames(ctx, { names: [name], user, consent })).get(name)
  if (known?.type !== 'text' && known?.type !== 'file') return undefined
  return (await resolveVariables(ctx, { names: [name], user, consent, signal })).get(name)?.value ?? undefined
}

/** Quoted as JSON, which YAML reads the same way. */
function withFrontMatter({ name, description, text }: { name: string; description: string; text: string }) {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${text}\n`
}
