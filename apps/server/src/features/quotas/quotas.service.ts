import {
  type CountedQuota,
  DEFAULT_QUOTAS,
  type PersonQuota,
  QUOTA_NAMES,
  QUOTA_UNITS,
  type Quotas,
  type UpdateQuotasRequest,
  type User,
} from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type RowChanges, readThroughCache } from '../../platform/cache/read-through-cache.ts'
import {
  createQuotaEvent,
  findOwnQuotas,
  findUsage,
  lockOwnQuotas,
  readQuotaRefusal,
  saveOwnQuotas,
  saveUsualQuotas,
} from './quotas.repository.ts'
import type { SpendingService } from './spending.service.ts'

const PEOPLE_KEPT = 10_000
const NANOS_PER_CENT = 10_000_000

export interface QuotasDeps {
  db: Database
  rowChanges: RowChanges
  spending: SpendingService
  /** The setting QUOTAS: what is not as usual. */
  quotas: Partial<Quotas>
}

export type QuotasService = ReturnType<typeof createQuotasService>

/** How much one person may keep and do; what they keep, the database itself counts and refuses. */
export function createQuotasService({ db, rowChanges, spending, quotas }: QuotasDeps) {
  const usual: Quotas = { ...DEFAULT_QUOTAS, ...quotas }
  const findCachedQuotas = readThroughCache({
    rowChanges,
    load: (id: number) => findOwnQuotas(db, id),
    rowsOf: ({ id }) => [`users:${id}`],
    capacity: PEOPLE_KEPT,
  })

  async function read(id: number): Promise<PersonQuota[]> {
    const own = await findOwnQuotas(db, id)
    const usage = await findUsage(db, id)
    if (own === undefined || usage === undefined) throw notFound()
    const { person: nanos } = await spending.inMonth(id)
    const used: Partial<Quotas> = { ...usage, money: Math.ceil(nanos / NANOS_PER_CENT) }
    return QUOTA_NAMES.map((quota) => ({
      quota,
      used: used[quota] ?? null,
      bound: own.quotas[quota] ?? usual[quota],
      usual: usual[quota],
    }))
  }

  return {
    /** Lets the database know the bounds on everyone, before it is written to. */
    begin: (): Promise<void> => saveUsualQuotas(db, usual),

    /** The bounds on a person; on a guest they are everyone's. */
    async boundsOf(person: Pick<User, 'id'> | null): Promise<Quotas> {
      return person === null ? usual : { ...usual, ...(await findCachedQuotas(person.id))?.quotas }
    },

    /** What a person has, and may have; the caller has made sure that an admin asks. */
    list: read,

    /** Sets bounds on a person; null: as everyone's. The caller has made sure that an admin asks. */
    async update({ id, actor, change }: { id: number; actor: User; change: UpdateQuotasRequest }) {
      await db.transaction(async (tx) => {
        const before = await lockOwnQuotas(tx, id)
        if (before === undefined) throw notFound()
        const changed = { ...before.quotas, ...change }
        const own = Object.fromEntries(Object.entries(changed).filter(([, bound]) => bound != null))
        await saveOwnQuotas(tx, { id, quotas: own })
        await createQuotaEvent(tx, { actorId: actor.id, userId: id, details: change })
      })
      return read(id)
    },

    /** What the database's refusal of more than a bound means; undefined for any other error. */
    async explain(error: unknown): Promise<AppError | undefined> {
      const refusal = readQuotaRefusal(error)
      if (refusal === undefined) return undefined
      const { quota, bound, userId } = refusal
      const used = (await findUsage(db, userId))?.[quota] ?? bound
      const unit = QUOTA_UNITS[quota]
      const more = COUNTED_IN_BYTES.has(quota) ? ' and this would be more' : ''
      return new AppError(
        'forbidden',
        `One person may have ${say(bound)} ${unit}: ${say(used)} are there${more}. ` +
          'Delete what is no longer needed, or ask an administrator for more.',
        { details: { quota, bound, used } },
      )
    },
  }
}

const COUNTED_IN_BYTES = new Set<string>(['text', 'uploads'] satisfies CountedQuota[])

const say = (count: number): string => count.toLocaleString('en')

function notFound(): AppError {
  return new AppError('not_found', 'This account does not exist')
}
