import {
  type ListedSkill,
  type Skill,
  type SkillPart,
  type saveSkillRequest,
  slug,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { namedAfter } from '../records/records.ts'
import { listVisibleClips, lockVisiblePrompts, openForChange, readPrompt } from './read-prompts.ts'
import { countSkills, deleteSkillRow, findOptionalSkill, listSkillRows, saveSkillRow } from './skills.sql.ts'

const PAGE_MAX = 100
const CURSOR = defineCursor({ list: 'skills', position: z.strictObject({ slug, id: cursorPosition.id }) })

interface Wanted {
  id: number
  user: User
}

export async function findSkill(ctx: Context, wanted: Wanted): Promise<Skill> {
  await readPrompt(ctx, wanted)
  return show(ctx, wanted)
}

async function show(ctx: Context, { id, user }: Wanted): Promise<Skill> {
  const stored = await findOptionalSkill(ctx.db, id)
  if (stored === undefined) throw noSkill()
  const ids = stored.parts.flatMap(({ promptId }) => promptId ?? [])
  const visible = await listVisibleClips(ctx, { ids, user })
  const toPart = ({ path, promptId, variable }: SkillPart) => ({
    path,
    promptId: promptId ?? null,
    title: promptId === undefined ? null : (visible.get(promptId)?.title ?? null),
    variable: variable ?? null,
  })
  const { description, updatedAt } = stored
  return { description, parts: stored.parts.map(toPart), updatedAt: updatedAt.toISOString() }
}

/** For who may change the prompt. Throws `not_found` unless they see all prompts of it. */
export function saveSkill(
  ctx: Context,
  { fields, ...wanted }: Wanted & { fields: z.output<typeof saveSkillRequest> },
): Promise<Skill> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { id, user } = wanted
    const { ownerId } = await openForChange(ctx, wanted)
    const stored = await findOptionalSkill(db, id)
    const present = new Set(stored?.parts.map(({ promptId }) => promptId))
    const ids = fields.parts.flatMap(({ promptId }) => promptId ?? []).filter((one) => !present.has(one))
    const visible = await lockVisiblePrompts(ctx, { ids, user })
    if (ids.some((one) => !visible.has(one))) throw new AppError('not_found', 'Prompt not found')
    const parts = fields.parts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const names = namesOf(parts)
    const namedBy = namedAfter({ before: stored?.namedBy ?? {}, names, userId: user.id, isShown: true })
    await saveSkillRow(db, { promptId: id, description: fields.description, parts, namedBy })
    await recordActivity(ctx, { kind: 'prompt.skill_saved', object: 'prompt', id, ownerId })
    return show(ctx, wanted)
  })
}

interface GivenSkill {
  promptId: number
  skill: z.output<typeof saveSkillRequest> | null
  user: User
}

/** Of the caller's own prompts, and shown by no form; null removes it. */
export async function setSkill(
  { db }: SqlContext<Transaction>,
  { promptId, skill, user }: GivenSkill,
): Promise<void> {
  if (skill === null) {
    await deleteSkillRow(db, promptId)
    return
  }
  const stored = await findOptionalSkill(db, promptId)
  const namedBy = namedAfter({
    before: stored?.namedBy ?? {},
    names: namesOf(skill.parts),
    userId: user.id,
    isShown: false,
  })
  await saveSkillRow(db, { promptId, ...skill, namedBy })
}

export function removeSkill(ctx: Context, wanted: Wanted): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id, ownerId } = await openForChange(ctx, wanted)
    if (!(await deleteSkillRow(ctx.db, id))) throw noSkill()
    await recordActivity(ctx, { kind: 'prompt.skill_removed', object: 'prompt', id, ownerId })
  })
}

export async function listSkills(
  { db }: SqlContext,
  { user, query }: ListRequest<{ user: User }>,
): Promise<ListPage<ListedSkill>> {
  const limit = Math.min(query.limit, PAGE_MAX)
  const after = CURSOR.read(query.cursor)
  return toPage({
    rows: await listSkillRows(db, { userId: user.id, after, limit: limit + 1 }),
    limit,
    total: after === undefined ? { count: await countSkills(db, user.id) } : undefined,
    toItem: (skill): ListedSkill => skill,
    cursorOf: ({ slug, promptId }) => CURSOR.write({ slug, id: promptId }),
  })
}

function namesOf(parts: readonly SkillPart[]): string[] {
  return [...new Set(parts.flatMap(({ variable }) => variable?.toLowerCase() ?? []))]
}

function noSkill(): AppError {
  return new AppError('not_found', 'This prompt is not a skill')
}
