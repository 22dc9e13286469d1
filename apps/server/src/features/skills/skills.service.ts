import {
  type ListedSkill,
  type Skill,
  type SkillPart,
  type saveSkillRequest,
  slug,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import { namedAfter } from '../../consent.ts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { lockVisiblePrompts, openPromptForChange, type PromptsService } from '../prompts/prompts.ts'
import {
  countSkills,
  deleteSkillRow,
  findOptionalSkill,
  listSkills,
  saveSkillRow,
} from './skills.repository.ts'

const PAGE_MAX = 100
const CURSOR = defineCursor({ list: 'skills', position: z.strictObject({ slug, id: cursorPosition.id }) })

interface Wanted {
  id: number
  user: User
}

interface SkillsDeps {
  db: Database
  prompts: Pick<PromptsService, 'find' | 'listVisibleClips'>
}

export type Skills = ReturnType<typeof createSkills>

/** Prompts that are served to agents as skills. */
export function createSkills({ db, prompts }: SkillsDeps) {
  async function show(executor: Executor, { id, user }: Wanted): Promise<Skill> {
    const stored = await findOptionalSkill(executor, id)
    if (stored === undefined) throw noSkill()
    const ids = stored.parts.flatMap(({ promptId }) => promptId ?? [])
    const visible = await prompts.listVisibleClips(executor, { ids, user })
    const toPart = ({ path, promptId, variable }: SkillPart) => ({
      path,
      promptId: promptId ?? null,
      title: promptId === undefined ? null : (visible.get(promptId)?.title ?? null),
      variable: variable ?? null,
    })
    const { description, updatedAt } = stored
    return { description, parts: stored.parts.map(toPart), updatedAt: updatedAt.toISOString() }
  }

  return {
    /** For who sees the prompt; throws `not_found`. */
    async find(wanted: Wanted): Promise<Skill> {
      await prompts.find(wanted)
      return show(db, wanted)
    },

    /** For who may change the prompt. Throws `not_found` unless they see all prompts of it. */
    save: ({ fields, ...wanted }: Wanted & { fields: z.output<typeof saveSkillRequest> }): Promise<Skill> =>
      db.transaction(async (tx) => {
        const { id, user } = wanted
        await openPromptForChange({ db: tx }, wanted)
        const stored = await findOptionalSkill(tx, id)
        const present = new Set(stored?.parts.map(({ promptId }) => promptId))
        const ids = fields.parts.flatMap(({ promptId }) => promptId ?? []).filter((one) => !present.has(one))
        const visible = await lockVisiblePrompts({ db: tx }, { ids, user })
        if (ids.some((one) => !visible.has(one))) throw new AppError('not_found', 'Prompt not found')
        const parts = fields.parts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
        const names = namesOf(parts)
        const namedBy = namedAfter({ before: stored?.namedBy ?? {}, names, userId: user.id, isShown: true })
        await saveSkillRow(tx, { promptId: id, description: fields.description, parts, namedBy })
        return show(tx, wanted)
      }),

    /** Of prompts of the caller's own, in their transaction, and shown by no form; null: none of it. */
    async setIn(
      tx: Transaction,
      {
        promptId,
        skill,
        user,
      }: { promptId: number; skill: z.output<typeof saveSkillRequest> | null; user: User },
    ): Promise<void> {
      if (skill === null) {
        await deleteSkillRow(tx, promptId)
        return
      }
      const stored = await findOptionalSkill(tx, promptId)
      const namedBy = namedAfter({
        before: stored?.namedBy ?? {},
        names: namesOf(skill.parts),
        userId: user.id,
        isShown: false,
      })
      await saveSkillRow(tx, { promptId, ...skill, namedBy })
    },

    /** From then on no client is served it as a skill. */
    remove: (wanted: Wanted): Promise<void> =>
      db.transaction(async (tx) => {
        await openPromptForChange({ db: tx }, wanted)
        if (!(await deleteSkillRow(tx, wanted.id))) throw noSkill()
      }),

    /** Those that the person can see, by slug. */
    async list({ user, query }: ListRequest<{ user: User }>): Promise<ListPage<ListedSkill>> {
      const limit = Math.min(query.limit, PAGE_MAX)
      const after = CURSOR.read(query.cursor)
      return toPage({
        rows: await listSkills(db, { userId: user.id, after, limit: limit + 1 }),
        limit,
        total: after === undefined ? { count: await countSkills(db, user.id) } : undefined,
        toItem: (skill): ListedSkill => skill,
        cursorOf: ({ slug, promptId }) => CURSOR.write({ slug, id: promptId }),
      })
    },
  }
}

/** The variables among the parts, in lower case. */
function namesOf(parts: readonly SkillPart[]): string[] {
  return [...new Set(parts.flatMap(({ variable }) => variable?.toLowerCase() ?? []))]
}

function noSkill(): AppError {
  return new AppError('not_found', 'This prompt is no skill')
}
