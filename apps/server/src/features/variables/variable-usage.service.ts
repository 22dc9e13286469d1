import type { User, VariableUsage, VariableUsageCount } from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import { canSeeVariable } from './variables.policy.ts'
import { findOptionalVariable, listByPrecedence } from './variables.repository.ts'

const CURSOR = defineCursor({ list: 'usage', position: cursorPosition.id })

export interface VariableUsageDeps {
  db: Database
  prompts: PromptsService['references']
  chains: ChainsService['references']
}

interface Meaning {
  id: number
  name: string
  user: User
}

/** Where a person's references mean a variable: an own one, else a public one of the name (D22, D52). */
export function createVariableUsage({ db, prompts, chains }: VariableUsageDeps) {
  /** Whether the user's references of that name mean this variable. */
  async function isMeant(executor: Executor, { id, name, user }: Meaning): Promise<boolean> {
    const [meant] = await listByPrecedence(executor, { viewerId: user.id, name })
    return meant?.id === id
  }

  return {
    isMeant,

    /** For each variable that the user can see, by id, in how many of their own prompts and chains, and those shared with them. */
    async countUsage({ user, query }: ListRequest<{ user: User }>): Promise<ListPage<VariableUsageCount>> {
      const { limit, cursor } = query
      const after = CURSOR.read(cursor) ?? 0
      const visible = await listByPrecedence(db, { viewerId: user.id })
      const inPrompts = await prompts.countByName(user)
      const inChains = await chains.countByName(user)
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
    },

    async findUsage({ id, user }: { id: number; user: User }): Promise<VariableUsage> {
      const variable = await findOptionalVariable(db, id)
      if (variable === undefined || !canSeeVariable(user, variable))
        throw new AppError('not_found', 'Variable not found')
      const { name } = variable
      if (!(await isMeant(db, { id, name, user }))) return { prompts: [], chains: [] }
      return {
        prompts: await prompts.listByName({ name, viewer: user }),
        chains: await chains.listByName({ name, viewer: user }),
      }
    },

    /** Writes the variable's new name into the user's own prompts and chains, if there it means this variable. */
    async renameReferences(
      tx: Transaction,
      { id, from, to, user }: { id: number; from: string; to: string; user: User },
    ): Promise<void> {
      if (!(await isMeant(tx, { id, name: to, user }))) return
      await prompts.rename(tx, { from, to, user })
      await chains.rename(tx, { from, to, user })
    },
  }
}
