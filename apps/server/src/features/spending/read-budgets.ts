import { type BudgetState, UNLIMITED, type User } from '@catenary/contracts'
import { formatUsd, nanosToUsd, usdToNanos } from '@catenary/domain'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import type { MailMessage } from '../../platform/mail/mail-message.ts'
import { findToldPerson, queueMail } from '../mails/mails.ts'
import { boundsOf, type Spent, spentInMonth } from './person-quotas.ts'

const NANOS_PER_CENT = 10_000_000
const EVERYONE = 0
/** Where a warning begins, as a part of the budget (D56). */
const WARNING = 0.8
const TOLD_KEPT = 10_000

interface Budget {
  spent: number
  most: number
}

/** No further call is made; only running calls may exceed it. */
const isSpent = ({ spent, most }: Budget): boolean => spent >= most

const isNear = ({ spent, most }: Budget): boolean => spent >= WARNING * most

/** By the setting MONTHLY_BUDGET_USD: of everyone together, in nano-dollars; null: no limit. */
const mostOfAll = ({ settings: { monthlyBudgetUsd } }: Context): number | null =>
  monthlyBudgetUsd === undefined ? null : usdToNanos(monthlyBudgetUsd)

/** What a person may spend in a month, in nano-dollars (D56); null: no limit. */
async function mostOf(ctx: Context, user: Pick<User, 'id'>): Promise<number | null> {
  const { money } = await boundsOf(ctx, user)
  return money === UNLIMITED ? null : money * NANOS_PER_CENT
}

/** By person, 0 for everyone: the cost of this process's answers, before their rows are written. */
const knownSpending = onePerApp(() => new Map<number, { month: string; spent: number }>())

async function findSpent(ctx: Context, userId: number): Promise<Spent> {
  const { month, ...stored } = await spentInMonth(ctx, userId)
  const known = knownSpending(ctx)
  const latest = (id: number, spent: number) => {
    const kept = known.get(id)
    const most = kept?.month === month ? Math.max(kept.spent, spent) : spent
    known.set(id, { month, spent: most })
    return most
  }
  return { person: latest(userId, stored.person), everyone: latest(EVERYONE, stored.everyone) }
}

export function addAnswer(ctx: Context, { userId, nanos }: { userId: number; nanos: number }): void {
  const known = knownSpending(ctx)
  for (const id of [userId, EVERYONE]) {
    const kept = known.get(id)
    if (kept !== undefined) kept.spent += nanos
  }
}

/**
 * Why a person's model must not be called now, for them; asks the database only where there is a budget. Whoever is near
 * the end of their own is told by email.
 */
export async function findBudgetRefusal(ctx: Context, userId: number): Promise<string | undefined> {
  const own = await mostOf(ctx, { id: userId })
  const ofAll = mostOfAll(ctx)
  if (own === null && ofAll === null) return undefined
  const { person, everyone } = await findSpent(ctx, userId)
  if (own !== null) mailBudget(ctx, { userId, spent: person, most: own })
  if (own !== null && isSpent({ spent: person, most: own })) return refusal('Your budget', own)
  if (ofAll !== null && isSpent({ spent: everyone, most: ofAll })) {
    return refusal('The budget of this instance', ofAll)
  }
  return undefined
}

export async function findBudget(ctx: Context, user: Pick<User, 'id'> | null): Promise<BudgetState | null> {
  const most = user === null ? mostOfAll(ctx) : await mostOf(ctx, user)
  if (most === null) return null
  const { person, everyone } = await spentInMonth(ctx, user?.id ?? EVERYONE)
  const spent = user === null ? everyone : person
  return {
    budgetUsd: nanosToUsd(most) ?? 0,
    spentUsd: nanosToUsd(spent) ?? 0,
    isNear: isNear({ spent, most }),
  }
}

function refusal(whose: string, most: number): string {
  return (
    `${whose} of ${formatUsd(most)} a month is used up. The next month begins on the 1st at 00:00 UTC; ` +
    'an administrator can raise it sooner.'
  )
}

/** What this process has told, by the keys of its mails: the database has them all. */
const toldBudgets = onePerApp(() => new Set<string>())

/** Once a month and budget as it comes near its end, and once as it is used up; the call doesn't wait for it. */
function mailBudget({ app: ctx }: Context, { userId, ...budget }: Budget & { userId: number }): void {
  if (!ctx.mail.isSetUp || !isNear(budget)) return
  const month = ctx.now().toISOString().slice(0, 'YYYY-MM'.length)
  const key = `budget:${userId}:${month}:${budget.most}:${isSpent(budget) ? 'spent' : 'near'}`
  const told = toldBudgets(ctx)
  if (told.has(key)) return
  if (told.size >= TOLD_KEPT) told.clear()
  told.add(key)
  void transaction(ctx, async (ctx) => {
    const person = await findToldPerson(ctx.db, userId)
    if (!person?.notifications.budgets.mail) return
    const { account } = person
    const message = budgetMessage(ctx, budget)
    await queueMail(ctx, { account, addresses: [account.email], key, message })
  }).catch((error: unknown) => {
    told.delete(key)
    ctx.log.warn({ err: error, userId }, 'a person could not be told of their budget')
  })
}

function budgetMessage({ settings }: Context, budget: Budget): MailMessage {
  const most = formatUsd(budget.most)
  const isOver = isSpent(budget)
  return {
    subject: isOver ? 'Your budget is used up' : 'Your budget is nearly used up',
    paragraphs: [
      isOver
        ? `Your budget of ${most} for this month is used up, so no further model is called for you.`
        : `You have used ${formatUsd(budget.spent)} of your budget of ${most} for this month.`,
      'The next month begins on the 1st at 00:00 UTC. An administrator can raise the budget sooner.',
    ],
    markdown: '',
    links: [{ label: 'See what you used', href: `${settings.publicUrl}/usage` }],
  }
}
