import { type BudgetState, UNLIMITED, type User } from '@catenary/contracts'
import { formatUsd, nanosToUsd, usdToNanos } from '@catenary/domain'
import type { Context } from '../../platform/context.ts'
import { boundsOf, type Spent, spentInMonth } from '../quotas/quotas.ts'
import { type Budget, isNear, isSpent } from './budgets.policy.ts'

const NANOS_PER_CENT = 10_000_000
const EVERYONE = 0

export interface BudgetsDeps {
  ctx: Context
  /** The setting MONTHLY_BUDGET_USD: of everyone together. */
  monthlyBudgetUsd: number | undefined
}

export type BudgetsService = ReturnType<typeof createBudgetsService>

/** What a person, and everyone together, may spend in a month (D56). */
export function createBudgetsService({ ctx, monthlyBudgetUsd }: BudgetsDeps) {
  const mostOfAll = monthlyBudgetUsd === undefined ? null : usdToNanos(monthlyBudgetUsd)

  async function mostOf(user: Pick<User, 'id'>): Promise<number | null> {
    const { money } = await boundsOf(ctx, user)
    return money === UNLIMITED ? null : money * NANOS_PER_CENT
  }

  /** By person, 0 for everyone: the cost of this process's answers, before their rows are written. */
  const known = new Map<number, { month: string; spent: number }>()

  async function findSpent(userId: number): Promise<Spent> {
    const { month, ...stored } = await spentInMonth(ctx, userId)
    const latest = (id: number, spent: number) => {
      const kept = known.get(id)
      const most = kept?.month === month ? Math.max(kept.spent, spent) : spent
      known.set(id, { month, spent: most })
      return most
    }
    return { person: latest(userId, stored.person), everyone: latest(EVERYONE, stored.everyone) }
  }

  return {
    /** Counts an answer from now on; its row is yet to be written. */
    addAnswer({ userId, nanos }: { userId: number; nanos: number }): void {
      for (const id of [userId, EVERYONE]) {
        const kept = known.get(id)
        if (kept !== undefined) kept.spent += nanos
      }
    },

    /** Why a person's model must not be called now, for them; asks the database only where there is a budget. */
    async findRefusal(userId: number): Promise<string | undefined> {
      const own = await mostOf({ id: userId })
      if (own === null && mostOfAll === null) return undefined
      const { person, everyone } = await findSpent(userId)
      if (own !== null && isSpent({ spent: person, most: own })) return refusal('Your budget', own)
      if (mostOfAll !== null && isSpent({ spent: everyone, most: mostOfAll })) {
        return refusal('The budget of this instance', mostOfAll)
      }
      return undefined
    },

    /** A person's, or without one everyone's; null where there is none. */
    async find(user: Pick<User, 'id'> | null): Promise<BudgetState | null> {
      const most = user === null ? mostOfAll : await mostOf(user)
      if (most === null) return null
      const { person, everyone } = await spentInMonth(ctx, user?.id ?? EVERYONE)
      return toState({ spent: user === null ? everyone : person, most })
    },
  }
}

function refusal(whose: string, most: number): string {
  return (
    `${whose} of ${formatUsd(most)} a month is spent. The next month begins on its first day at 00:00 UTC; ` +
    'an administrator can raise it before.'
  )
}

function toState(budget: Budget): BudgetState {
  return {
    budgetUsd: nanosToUsd(budget.most) ?? 0,
    spentUsd: nanosToUsd(budget.spent) ?? 0,
    isNear: isNear(budget),
  }
}
