import type { Database } from '../../database/statements/executor.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { addSpending, findSpending } from './models.sql.ts'

/** What calls cost is written together, this long after the first of them. */
const WRITE_AFTER_MS = 1_000
/** What other processes spend is seen after this. */
const SPENT_KEPT_MS = 10_000

interface Counted {
  alias: string
  month: string
  calls: number
  nanos: number
}

/** Counts what models cost, by month, UTC. A call waits for none of it; a process that is killed loses its last second. */
export const modelSpending = onePerApp(createModelSpending)

function createModelSpending({ db, log, now }: Context<Database>) {
  const pending = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let known: { month: string; readAt: number; spent: Promise<Map<string, number>> } | undefined

  const thisMonth = () => now().toISOString().slice(0, 'YYYY-MM'.length)

  function merge(counted: Counted): void {
    const key = `${counted.alias} ${counted.month}`
    const before = pending.get(key) ?? { ...counted, calls: 0, nanos: 0 }
    before.calls += counted.calls
    before.nanos += counted.nanos
    pending.set(key, before)
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref()
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(async () => {
      const counted = [...pending.values()]
      pending.clear()
      await addSpending(db, counted).catch((error: unknown) => {
        log.warn({ err: error }, 'what models cost could not be kept yet')
        counted.forEach(merge)
      })
    })
    return writing
  }

  async function readMonth(month: string): Promise<Map<string, number>> {
    await flush()
    const spent = await findSpending(db, month)
    return new Map([...spent].map(([alias, { month: nanos }]) => [alias, nanos]))
  }

  return {
    add(alias: string, nanos: number | null): void {
      merge({ alias, month: thisMonth(), calls: 1, nanos: nanos ?? 0 })
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
