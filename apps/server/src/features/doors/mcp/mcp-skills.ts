import { tidyName } from '@catenary/contracts'
import pMap from 'p-map'
import { AppError } from '../../../errors.ts'
import type { Context, SqlContext } from '../../../platform/context.ts'
import { addFetch, type Grant } from '../../tokens/tokens.ts'
import { choosePromptVersion } from './choose-version.ts'
import type { McpCall } from './mcp-call.ts'
import {
  type After,
  findOptionalReachedPrompt,
  listReachedPrompts,
  type ReachedPrompt,
} from './mcp-reach.sql.ts'
import { quoteText } from './quote-text.ts'
import { readSkillFolder, SKILL_FILE, type SkillFolder } from './read-skill-folder.ts'

const PAGE = 20
const AT_ONCE = 2
const NAMES = 100
/** Characters of a description that a list of resources shows. */
const NAMED_MAX = 300

export interface NamedFolder {
  name: string
  folder: SkillFolder
}

type ReadingCall = Pick<McpCall, 'grant' | 'signal'>

/** The skills of a token as folders, by name, after one; one that is too large is left out. */
export async function listSkills(
  ctx: Context,
  { call, after }: { call: ReadingCall; after?: After | undefined },
): Promise<{ skills: NamedFolder[]; next: After | undefined }> {
  const reach = call.grant
  const rows = await listReachedPrompts(ctx.db, { reach, kind: 'skill', after, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE)
  const folders = await pMap(
    page,
    async (prompt): Promise<NamedFolder[]> => {
      const folder = await read(ctx, { call, prompt }).catch(ifTooLarge)
      return folder === undefined ? [] : [{ name: prompt.name, folder }]
    },
    { concurrency: AT_ONCE },
  )
  return { skills: folders.flat(), next: rows.length > PAGE ? page.at(-1) : undefined }
}

/** The first of them, for clients that look for resources and know no skills. */
export async function listSkillNames(
  { db }: SqlContext,
  { grant }: { grant: Grant },
): Promise<{ name: string; description: string }[]> {
  const rows = await listReachedPrompts(db, { reach: grant, kind: 'skill', limit: NAMES })
  return rows.map((row) => ({ name: row.name, description: quoteText(row.description ?? '', NAMED_MAX) }))
}

/** By a name that it has or had; undefined where the token serves none. */
export async function findSkill(
  ctx: Context,
  { call, name, label }: { call: ReadingCall; name: string; label?: string | undefined },
): Promise<NamedFolder | undefined> {
  const wanted = { reach: call.grant, kind: 'skill', name: tidyName(name) } as const
  const prompt = await findOptionalReachedPrompt(ctx.db, wanted)
  const folder = prompt && (await read(ctx, { call, prompt, label }))
  return prompt === undefined || folder === undefined ? undefined : { name: prompt.name, folder }
}

async function read(
  ctx: Context,
  {
    call: { grant, signal },
    prompt,
    label,
  }: { call: ReadingCall; prompt: ReachedPrompt; label?: string | undefined },
): Promise<SkillFolder | undefined> {
  const { user, allowed, labels } = grant
  const choice = choosePromptVersion(grant, { has: prompt.labels, asked: label })
  if (choice === null) return undefined
  return readSkillFolder(ctx, { user, allowed, prompt, choice, labels, signal })
}

/** Remembers that a client took the skill: with SKILL.md, which each client reads first. */
export function tookSkill(
  ctx: Context,
  { grant, client, folder, path }: Pick<McpCall, 'grant' | 'client'> & { folder: SkillFolder; path: string },
): void {
  if (path !== SKILL_FILE) return
  const { promptId, version, label } = folder
  addFetch(ctx, { grant, promptId, kind: 'skill', version, label, client })
}

function ifTooLarge(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'too_large') return undefined
  throw error
}
