import type { User, VariableUsage, VariableUsageCount } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { AppContext, SqlContext } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { countChainsByName, listChainsByName, renameInChains } from '../chains/chains.ts'
import { countPromptsByName, listPromptsByName, renameInPrompts } from '../prompts/prompts.ts'
import { findVariable } from './read-variables.ts'
import { listByPrecedence } from './variables.sql.ts'

const CURSOR = defineCursor({ list: 'usage', position: cursorPosition.id })

/** Whether the user's references of that name mean this variable: an own one, else a public one (D22, D52). */
export async function isMeant(
  { db }: SqlContext,
  { id, name, user }: { id: number; name: string; user: User },
): Promise<boolean> {
  const [meant] = await listByPrecedence(db, { viewerId: user.id, name })
  return meant?.id === id
}

/** For each variable that the user can see, by id, in how many of their own prompts and chains, and those shared with them. */
export async function countUsage(
  ctx: AppContext,
  { user, query }: ListRequest<{ user: User }>,
): Promise<ListPage<VariableUsageCount>> {
  const { limit, cursor } = query
  const after = CURSOR.read(cursor) ?? 0
  const visible = await listByPrecedence(ctx.db, { viewerId: user.id })
  const inPrompts = await countPromptsByName(ctx, user)
  const inChains = await countChainsByName(ctx, user)
  const counts = visible.map(({ id, name }, place) => {
    const isFirst = visible[place - 1]?.name !== name
    const countOf = (counts: Map<string, number>): number => (isFirst ? (counts.get(name) ?? 0) : 0)
    return { id, prompts: countOf(inPrompts), chains: countOf(inChains) }
  })
  return toPage({
    rows: counts.filter(({ id }) => id > after).sort((left, right) => left.id - right.id),
    limit,
    total: cursor === undefined ? { count: counts.length } : undefined,
    toItem: (count) => count,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

export async function findUsage(
  ctx: AppContext,
  { id, user }: { id: number; user: User },
): Promise<VariableUsage> {
  const { name } = await findVariable(ctx, { id, user })
  if (!(await isMeant(ctx, { id, name, user }))) return { prompts: [], chains: [] }
  return {
    prompts: await listPromptsByName(ctx, { name, viewer: user }),
    chains: await listChainsByName(ctx, { name, viewer: user }),
  }
}

export async function renameReferences(
  ctx: SqlContext<Transaction>,
  { id, from, to, user }: { id: number; from: string; to: string; user: User },
): Promise<void> {
  if (!(await isMeant(ctx, { id, name: to, user }))) return
  await renameInPrompts(ctx, { from, to, user })
  await renameInChains(ctx, { from, to, user })
}
