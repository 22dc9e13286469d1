import type { SkillPart, User } from '@catenary/contracts'
import type { FolderSkill } from '@catenary/domain/folder'
import type { LossDraft, SourceFile } from '@catenary/domain/imports'
import type { Transaction } from '../../database/statements/executor.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { readSkills } from '../exports/exports.ts'
import { setSkill } from '../prompts/prompts.ts'
import type { Made } from './import-types.ts'
import { type Candidate, isOfFolder, type Match } from './imports.policy.ts'
import { findLinkable } from './own-records.sql.ts'

export async function withSkills(
  { db }: SqlContext,
  { bySlug, user }: { bySlug: ReadonlyMap<string, Candidate>; user: User },
): Promise<Map<string, Candidate>> {
  const ids = [...bySlug.values()].map(({ id }) => id)
  const skills = await readSkills(db, { ids, userId: user.id })
  return new Map(
    [...bySlug].map(([slug, candidate]) => [slug, { ...candidate, skill: skills.get(candidate.id) }]),
  )
}

const promptsOf = (skill: FolderSkill | null | undefined): string[] =>
  (skill?.parts ?? []).flatMap(({ prompt }) => prompt ?? [])

export async function findSkillLosses(
  { db }: SqlContext,
  { user, files, matches }: { user: User; files: readonly SourceFile[]; matches: readonly Match[] },
): Promise<LossDraft[]> {
  const coming = new Set(matches.flatMap(({ incoming }) => incoming.prompt.slug ?? []))
  const slugs = matches.flatMap(({ incoming }) => promptsOf(incoming.prompt.skill))
  const here = await findLinkable(db, { userId: user.id, slugs, versions: [] })
  return matches.flatMap(({ state, incoming: { file, prompt } }) => {
    const missing = promptsOf(prompt.skill).filter((slug) => !coming.has(slug) && !here.has(slug))
    if (state === 'same') return []
    const at = `${files[file]?.name ?? ''} › skill.parts`
    return missing.map((slug) => ({
      at,
      reason: `There is no prompt ${slug} here, so the skill is imported without it`,
    }))
  })
}

interface Done {
  match: Match
  made: Made
}

export async function makeSkills(
  ctx: Context<Transaction>,
  {
    user,
    done,
    made,
    asSkills,
  }: {
    user: User
    done: readonly Done[]
    made: ReadonlyMap<string, { id: number }>
    asSkills: boolean
  },
): Promise<void> {
  const wanted = done.filter(({ match, made: { made: as } }) => {
    const { prompt } = match.incoming
    if (prompt.skill === undefined) return false
    return isOfFolder(prompt) ? as === 'version' || prompt.skill !== null : asSkills && as !== 'version'
  })
  const slugs = wanted.flatMap(({ match }) => promptsOf(match.incoming.prompt.skill))
  const here = await findLinkable(ctx.db, { userId: user.id, slugs, versions: [] })
  for (const {
    match,
    made: { promptId },
  } of wanted) {
    const { skill = null } = match.incoming.prompt
    const parts = (skill?.parts ?? []).flatMap(({ path, prompt, variable }): SkillPart[] => {
      if (prompt === undefined) return [{ path, variable }]
      const linked = made.get(prompt)?.id ?? here.get(prompt)?.id
      return linked === undefined ? [] : [{ path, promptId: linked }]
    })
    await setSkill(ctx, { promptId, user, skill: skill && { description: skill.description, parts } })
  }
}
