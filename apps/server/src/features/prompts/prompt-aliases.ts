import { PROMPT_ALIASES_MAX, type PromptAlias, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { canNameRecord } from '../records/records.ts'
import {
  deletePromptAlias,
  findNamesake,
  insertPromptAliases,
  listPromptAliases,
} from './prompt-aliases.sql.ts'
import { openForChange } from './read-prompts.ts'

interface Wanted {
  id: number
  user: User
}

export function listAliases(ctx: Context, wanted: Wanted): Promise<PromptAlias[]> {
  return transaction(ctx, async (ctx) => list(ctx, (await openForChange(ctx, wanted)).id))
}

/** Gives the alias, or leaves it where it is the prompt's already; throws `conflict` for another one's of the owner. */
export function giveAlias(
  ctx: Context,
  { alias, ...wanted }: Wanted & { alias: string },
): Promise<PromptAlias[]> {
  return transaction(ctx, async (ctx) => {
    const promptId = await openOwn(ctx, wanted)
    const given = await insertPromptAliases(ctx.db, [{ alias, promptId }])
    if (given.length === 0 && (await findNamesake(ctx.db, { alias, promptId })) !== promptId) {
      throw new AppError('conflict', `Another of your prompts is called ${alias}`)
    }
    if (given.length > 0) {
      await recordActivity(ctx, { kind: 'prompt.alias_added', object: 'prompt', id: promptId })
    }
    const aliases = await list(ctx, promptId)
    if (aliases.length > PROMPT_ALIASES_MAX) {
      throw new AppError('conflict', `A prompt can have at most ${PROMPT_ALIASES_MAX} aliases`)
    }
    return aliases
  })
}

/** To prompts of the caller's own; what another one of theirs has stays there. Returns what was free. */
export const giveAliases = (
  { db }: SqlContext<Transaction>,
  rows: { alias: string; promptId: number }[],
): Promise<string[]> => insertPromptAliases(db, rows)

export function takeAlias(
  ctx: Context,
  { alias, ...wanted }: Wanted & { alias: string },
): Promise<PromptAlias[]> {
  return transaction(ctx, async (ctx) => {
    const promptId = await openOwn(ctx, wanted)
    if (!(await deletePromptAlias(ctx.db, { alias, promptId }))) {
      throw new AppError('not_found', 'This prompt has no such alias')
    }
    await recordActivity(ctx, { kind: 'prompt.alias_removed', object: 'prompt', id: promptId })
    return list(ctx, promptId)
  })
}

async function openOwn(ctx: SqlContext<Transaction>, wanted: Wanted): Promise<number> {
  const prompt = await openForChange(ctx, wanted)
  if (!canNameRecord(wanted.user, prompt)) {
    throw new AppError('forbidden', 'Only the owner may change a prompt’s aliases')
  }
  return prompt.id
}

async function list({ db }: SqlContext, promptId: number): Promise<PromptAlias[]> {
  const rows = await listPromptAliases(db, promptId)
  return rows.map(({ alias, createdAt }) => ({ alias, createdAt: createdAt.toISOString() }))
}
