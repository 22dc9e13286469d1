import { tidyName } from '@catenary/contracts'
import pMap from 'p-map'
import { AppError } from '../../errors.ts'
import { readSkillFolder, SKILL_FILE, type SkillFolder } from '../skills/skills.ts'
import { addFetch, type Grant } from '../tokens/tokens.ts'
import { choosePromptVersion, reachOf } from './choose-version.ts'
import type { McpCall, McpDeps } from './mcp-deps.ts'
import {
  type After,
  findOptionalReachedPrompt,
  listReachedPrompts,
  type ReachedPrompt,
} from './mcp-reach.repository.ts'
import { quoteText } from './quote-text.ts'

const PAGE = 20
const AT_ONCE = 2
const NAMES = 100
/** Characters of a description that a list of resources shows. */
const NAMED_MAX = 300

export interface NamedFolder {
  name: string
  folder: SkillFolder
}

export type McpSkills = ReturnType<typeof createMcpSkills>

/** The skills of a token, each as a folder. */
export function createMcpSkills({ ctx, db }: Pick<McpDeps, 'ctx' | 'db'>) {
  function read(
    { grant, signal }: Pick<McpCall, 'grant' | 'signal'>,
    { prompt, label }: { prompt: ReachedPrompt; label?: string | undefined },
  ): Promise<SkillFolder | undefined> {
    const choice = choosePromptVersion(grant, { has: prompt.labels, asked: label })
    if (choice === null) return Promise.resolve(undefined)
    return readSkillFolder(ctx, {
      user: grant.user,
      allowed: grant.allowed,
      prompt,
      choice,
      labels: grant.labels,
      signal,
    })
  }

  async function findPrompt(grant: Grant, name: string): Promise<ReachedPrompt | undefined> {
    return findOptionalReachedPrompt(db, { reach: reachOf(grant), kind: 'skill', name: tidyName(name) })
  }

  return {
    /** By name, after one; one that is too large is left out. */
    async list(call: McpCall, after?: After): Promise<{ skills: NamedFolder[]; next: After | undefined }> {
      const reach = reachOf(call.grant)
      const rows = await listReachedPrompts(db, { reach, kind: 'skill', after, limit: PAGE + 1 })
      const page = rows.slice(0, PAGE)
      const folders = await pMap(
        page,
        async (prompt): Promise<NamedFolder[]> => {
          const folder = await read(call, { prompt }).catch(ifTooLarge)
          return folder === undefined ? [] : [{ name: prompt.name, folder }]
        },
        { concurrency: AT_ONCE },
      )
      return { skills: folders.flat(), next: rows.length > PAGE ? page.at(-1) : undefined }
    },

    /** The first of them, for clients that look for resources and know no skills. */
    async listNames({ grant }: Pick<McpCall, 'grant'>): Promise<{ name: string; description: string }[]> {
      const rows = await listReachedPrompts(db, { reach: reachOf(grant), kind: 'skill', limit: NAMES })
      return rows.map((row) => ({ name: row.name, description: quoteText(row.description ?? '', NAMED_MAX) }))
    },

    /** By a name that it has or had; undefined where the token serves none. */
    async find(
      call: Pick<McpCall, 'grant' | 'signal'>,
      { name, label }: { name: string; label?: string | undefined },
    ): Promise<NamedFolder | undefined> {
      const prompt = await findPrompt(call.grant, name)
      const folder = prompt && (await read(call, { prompt, label }))
      return prompt === undefined || folder === undefined ? undefined : { name: prompt.name, folder }
    },

    /** Remembers that a client took the skill: with SKILL.md, which each client reads first. */
    took(
      { grant, client }: Pick<McpCall, 'grant' | 'client'>,
      { folder, path }: { folder: SkillFolder; path: string },
    ) {
      if (path !== SKILL_FILE) return
      const { promptId, version, label } = folder
      addFetch(ctx, { grant, promptId, kind: 'skill', version, label, client })
    },
  }
}

function ifTooLarge(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'too_large') return undefined
  throw error
}
