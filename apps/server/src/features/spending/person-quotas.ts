import {
  type GroupQuota,
  isInBytes,
  type PersonQuota,
  QUOTA_NAMES,
  QUOTAS,
  type Quotas,
  type UpdateQuotasRequest,
  USUAL_QUOTAS,
  type User,
} from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { readThroughCache } from '../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import {
  findGroupQuotas,
  findOwnQuotas,
  findUsage,
  lockGroupQuotas,
  lockOwnQuotas,
  prepareFindSpent,
  readQuotaRefusal,
  saveGroupQuotas,
  saveOwnQuotas,
  saveUsualQuotas,
} from './quotas.sql.ts'

const PEOPLE_KEPT = 10_000
const NANOS_PER_CENT = 10_000_000

/** The bounds on everyone: the setting QUOTAS says what is not as usual. */
const usualQuotas = ({ settings }: Context): Quotas => ({ ...USUAL_QUOTAS, ...settings.quotas })

const ownQuotas = onePerApp(({ db, rowChanges }) =>
  readThroughCache({
    rowChanges,
    load: (id: number) => findOwnQuotas(db, id),
    rowsOf: ({ id }) => [`users:${id}`],
    capacity: PEOPLE_KEPT,
  }),
)

/** Lets the database know the bounds on everyone, before it is written to: it counts and refuses by itself. */
export const beginQuotas = (ctx: Context): Promise<void> => saveUsualQuotas(ctx.db, usualQuotas(ctx))

/** The bounds on a person: their own, else the highest of their groups, else everyone's. On a guest they are everyone's. */
export async function boundsOf(ctx: Context, person: Pick<User, 'id'> | null): Promise<Quotas> {
  const usual = usualQuotas(ctx)
  if (person === null) return usual
  const found = await ownQuotas(ctx)(person.id)
  return { ...usual, ...found?.given, ...found?.quotas }
}

export async function listQuotas(ctx: Context, id: number): Promise<PersonQuota[]> {
  const { db } = ctx
  const own = await findOwnQuotas(db, id)
  const usage = await findUsage(db, id)
  if (own === undefined || usage === undefined) throw notFound()
  const { person: nanos } = await spentInMonth(ctx, id)
  const used: Partial<Quotas> = { ...usage, money: Math.ceil(nanos / NANOS_PER_CENT) }
  const usual = { ...usualQuotas(ctx), ...own.given }
  return QUOTA_NAMES.map((quota) => ({
    quota,
    used: used[quota] ?? null,
    bound: own.quotas[quota] ?? usual[quota],
    usual: usual[quota],
  }))
}

/** Sets bounds on a person; null: as everyone's. The caller has made sure that an admin asks. */
export async function updateQuotas(
  ctx: Context,
  { id, change }: { id: number; change: UpdateQuotasRequest },
): Promise<PersonQuota[]> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const before = await lockOwnQuotas(db, id)
    if (before === undefined) throw notFound()
    const quotas = changed(before.quotas, change)
    await saveOwnQuotas(db, { id, quotas })
    await recordActivity(ctx, {
      kind: 'account.quotas_changed',
      object: 'account',
      id,
      before: { quotas: before.quotas },
      after: { quotas },
    })
  })
  return listQuotas(ctx, id)
}

const changed = (before: Partial<Quotas>, change: UpdateQuotasRequest): Partial<Quotas> =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, bound]) => bound != null))

export async function listGroupQuotas(ctx: Context, id: number): Promise<GroupQuota[]> {
  const own = await findGroupQuotas(ctx.db, id)
  if (own === undefined) throw groupNotFound()
  const usual = usualQuotas(ctx)
  return QUOTA_NAMES.map((quota) => ({ quota, bound: own[quota] ?? null, usual: usual[quota] }))
}

/** The same for all members of a group. */
export async function updateGroupQuotas(
  ctx: Context,
  { id, change }: { id: number; change: UpdateQuotasRequest },
): Promise<GroupQuota[]> {
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const before = await lockGroupQuotas(db, id)
    if (before === undefined) throw groupNotFound()
    const quotas = changed(before, change)
    await saveGroupQuotas(db, { id, quotas })
    await recordActivity(ctx, {
      kind: 'group.quotas_changed',
      object: 'group',
      id,
      before: { quotas: before },
      after: { quotas },
    })
  })
  return listGroupQuotas(ctx, id)
}

export async function explainQuota({ db }: Context, error: unknown): Promise<AppError | undefined> {
  const refusal = readQuotaRefusal(error)
  if (refusal === undefined) return undefined
  const { quota, bound, userId } = refusal
  const used = (await findUsage(db, userId))?.[quota] ?? bound
  const { unit } = QUOTAS[quota]
  const more = isInBytes(quota) ? ', and this would be more' : ''
  return new AppError(
    'forbidden',
    `You can have ${say(bound)} ${unit}; you have ${say(used)}${more}. ` +
      'Delete what you no longer need, or ask an administrator for more.',
    { details: { quota, bound, used } },
  )
}

export interface Spent {
  /** In nano-dollars. */
  person: number
  everyone: number
}

const findSpent = onePerApp(({ db }) => prepareFindSpent(db))

/** What was spent in this month, UTC, which is as `2026-11`; of what has ended, nothing is left out. */
export async function spentInMonth(ctx: Context, userId: number): Promise<Spent & { month: string }> {
  const month = ctx.now().toISOString().slice(0, 'YYYY-MM'.length)
  return { month, ...(await findSpent(ctx)({ userId, since: `${month}-01T00:00:00Z` })) }
}

const say = (count: number): string => count.toLocaleString('en')

function notFound(): AppError {
  return new AppError('not_found', 'This account does not exist')
}

function groupNotFound(): AppError {
  return new AppError('not_found', 'Group not found')
}
