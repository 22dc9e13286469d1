import type { NamedBy, SkillPart, User } from '@catenary/contracts'
import { type Allowed, consentTo, othersNamesOf } from '../../consent.ts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type NamedVersion, othersTextOf, type PromptServerService } from '../prompt-server/prompt-server.ts'
import type { VariablesService } from '../variables/variables.ts'
import { findOptionalSkill } from './skills.repository.ts'

export const SKILL_FILE = 'SKILL.md'
/** In UTF-16 units of all files together. */
const FOLDER_MAX = 4_000_000

/** A version of a skill as it is served to a person. */
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

interface SkillFoldersDeps {
  db: Database
  findPromptById: PromptServerService['findPromptById']
  toServedText: PromptServerService['toServedText']
  variables: Pick<VariablesService, 'describe' | 'resolve'>
}

/** Skills as folders: a prompt as SKILL.md, and beside it the texts of other prompts and of variables. */
export function createSkillFolders({ db, findPromptById, toServedText, variables }: SkillFoldersDeps) {
  function find({ user, prompt, choice }: WantedFolder) {
    return findPromptById({ user, id: prompt.id, choice })
  }

  /** By the same label, else as the token serves it without one; what the person does not see is left out. */
  async function readPrompt(wanted: WantedFolder, promptId: number): Promise<string | undefined> {
    const { labels } = wanted
    const part = { ...wanted, prompt: { id: promptId, name: '' } }
    const found = await find(part).catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error
      return labels.length > 0 ? undefined : find({ ...part, choice: undefined }).catch(ifNotFound)
    })
    if (found === undefined) return undefined
    return textOf(wanted, found)
  }

  async function textOf({ user, allowed, signal }: WantedFolder, { prompt, version }: NamedVersion) {
    const { content, namedBy } = version
    const others = othersTextOf({ prompt, version: { content, namedBy, settings: null }, user })
    const consent = await consentTo([others], allowed)
    return toServedText({ content, user, resolve: true, consent, signal })
  }

  /** A text or an uploaded one: what is fetched from elsewhere may be another text each time. */
  async function readVariable(
    { user, allowed, prompt: { id }, signal }: WantedFolder,
    { name, namedBy }: { name: string; namedBy: NamedBy },
  ): Promise<string | undefined> {
    const others = othersNamesOf([name.toLowerCase()], { namedBy, userId: user.id })
    const consent = await consentTo([{ kind: 'prompt', id, names: others }], allowed)
    const known = (await variables.describe({ names: [name], user, consent })).get(name)
    if (known?.type !== 'text' && known?.type !== 'file') return undefined
    return (await variables.resolve({ names: [name], user, consent, signal })).get(name)?.value ?? undefined
  }

  function readPart(
    wanted: WantedFolder,
    { promptId, variable = '', namedBy }: SkillPart & { namedBy: NamedBy },
  ): Promise<string | undefined> {
    return promptId === undefined
      ? readVariable(wanted, { name: variable, namedBy })
      : readPrompt(wanted, promptId)
  }

  return {
    /** Undefined where the prompt is no skill, or has no such version for the person. */
    async read(wanted: WantedFolder): Promise<SkillFolder | undefined> {
      const { prompt } = wanted
      const stored = await findOptionalSkill(db, prompt.id)
      const found = stored && (await find(wanted).catch(ifNotFound))
      if (stored === undefined || found === undefined) return undefined
      const { version, label } = found
      const text = await textOf(wanted, found)
      const files = new Map([[SKILL_FILE, withFrontMatter({ ...stored, name: prompt.name, text })]])
      let size = text.length
      for (const part of stored.parts) {
        const read = await readPart(wanted, { ...part, namedBy: stored.namedBy })
        if (read === undefined) continue
        size += read.length
        if (size > FOLDER_MAX)
          throw new AppError('too_large', 'The files of this skill are too large together')
        files.set(part.path, read)
      }
      return { promptId: prompt.id, version: version.number, label, files }
    },
  }
}

/** Quoted as JSON, which YAML reads the same way. */
function withFrontMatter({ name, description, text }: { name: string; description: string; text: string }) {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${text}\n`
}

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found'

function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
  return undefined
}
