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
import type { Database, Executor } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { keepValues, type RowChanges } from '../../platform/kept/keep-values.ts'
import {
  createQuotaEvent,
  findOwnQuotas,
  findUsage,
  lockOwnQuotas,
  readQuotaRefusal,
  saveOwnQuotas,
  saveUsualQuotas,
} from './quotas.repository.ts'

const PEOPLE_KEPT = 10_000

export interface QuotasDeps {
  db: Database
  rowChanges: RowChanges
  /** The setting QUOTAS: what is not as usual. */
  quotas: Partial<Quotas>
}

export type QuotasService = ReturnType<typeof createQuotasService>

/** How much one person may keep and do; what they keep, the database itself counts and refuses. */
export function createQuotasService({ db, rowChanges, quotas }: QuotasDeps) {
  const usual: Quotas = { ...DEFAULT_QUOTAS, ...quotas }
  const findKeptQuotas = keepValues({
    rowChanges,
    load: (id: number) => findOwnQuotas(db, id),
    rowsOf: ({ id }) => [`users:${id}`],
    capacity: PEOPLE_KEPT,
  })

  async function read(executor: Executor, id: number): Promise<PersonQuota[]> {
    const own = await findOwnQuotas(executor, id)
    const usage = await findUsage(executor, id)
    if (own === undefined || usage === undefined) throw notFound()
    const used: Partial<Quotas> = usage
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
      return person === null ? usual : { ...usual, ...(await findKeptQuotas(person.id))?.quotas }
    },

    /** What a person has, and may have; the caller has made sure that an admin asks. */
    list: (id: number): Promise<PersonQuota[]> => read(db, id),

    /** Sets bounds on a person; null: as everyone's. The caller has made sure that an admin asks. */
    update({ id, actor, change }: { id: number; actor: User; change: UpdateQuotasRequest }) {
      return db.transaction(async (tx) => {
        const before = await lockOwnQuotas(tx, id)
        if (before === undefined) throw notFound()
        const changed = { ...before.quotas, ...change }
        const own = Object.fromEntries(Object.entries(changed).filter(([, bound]) => bound != null))
        await saveOwnQuotas(tx, { id, quotas: own })
        await createQuotaEvent(tx, { actorId: actor.id, userId: id, details: change })
        return read(tx, id)
      })
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
