import type { Database } from '../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { createLateWriter } from '../../platform/late-writer.ts'
import { addSpending, findSpending } from './models.sql.ts'

/** What other processes spend is seen after this. */
const SPENT_KEPT_MS = 10_000

interface Counted {
  alias: string
  month: string
  calls: number
  nanos: number
}

/** Counts what models cost, by month, UTC. */
export const modelSpending = onePerApp(createModelSpending)

function createModelSpending({ db, log, now }: Context<Database>) {
  let known: { month: string; readAt: number; spent: Promise<Map<string, number>> } | undefined

  const thisMonth = () => now().toISOString().slice(0, 'YYYY-MM'.length)

  const { add, flush } = createLateWriter<Counted>({
    keyOf: ({ alias, month }) => `${alias} ${month}`,
    sumOf: (before, { calls, nanos }) => ({
      ...before,
      calls: before.calls + calls,
      nanos: before.nanos + nanos,
    }),
    write: async (counted) => {
      try {
        await addSpending(db, counted)
        return []
      } catch (error) {
        log.warn({ err: error }, 'what models cost could not be kept yet')
        return counted
      }
    },
  })

  async function readMonth(month: string): Promise<Map<string, number>> {
    await flush()
    const spent = await findSpending(db, month)
    return new Map([...spent].map(([alias, { month: nanos }]) => [alias, nanos]))
  }

  return {
    add(alias: string, nanos: number | null): void {
      add({ alias, month: thisMonth(), calls: 1, nanos: nanos ?? 0 })
      void known?.spent.then(
        (spent) => spent.set(alias, (spent.get(alias) ?? 0) + (nanos ?? 0)),
        () => undefined,
      )
    },

    /** In nano-dollars, of this month; of other processes as it was some seconds ago. */
    async ofMonth(alias: string): Promise<number> {
      const month = thisMonth()
      const isYoung = known?.month === month && performance.now() - known.readAt < SPENT_KEPT_MS
      if (known === undefined || !isYoung) {
        const read = { month, readAt: performance.now(), spent: readMonth(month) }
        known = read
        read.spent.catch(() => {
          if (known === read) known = undefined
        })
      }
      return (await known.spent).get(alias) ?? 0
    },

    async list(): Promise<Map<string, { month: number; total: number }>> {
      await flush()
      return findSpending(db, thisMonth())
    },

    close: flush,
  }
}
