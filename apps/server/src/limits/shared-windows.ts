import type { Addition, CreateWindows, WindowState } from './windows.ts'

interface Added {
  key: string
  windowMs: number
  weight: number
}

type AddTogether = (added: Added[]) => Promise<{ key: string; count: number; ttl: number }[]>

interface Waiting extends Added {
  /** Whose caller went on before it was counted has none. */
  caller?: { resolve: (state: WindowState) => void; reject: (error: unknown) => void }
}

interface Known {
  /** All that the database told of, and what went ahead of it since. */
  count: number
  /** The part of it that the database has not answered yet. */
  ahead: number
  /** As `performance.now()`. */
  endsAt: number
}

const KEYS_TOGETHER = 500
const KEYS_KEPT = 10_000
/** Within this part of a limit callers go ahead of their count … */
const FREE_PART = 1 / 2
/** … while no more than this part is uncounted, which is what another process may not know of. */
const AHEAD_PART = 1 / 20
const GATHER_MS = 100

/**
 * Counts for all processes of a database. Who is known to be far from a limit goes on at once and is counted a moment later;
 * nearer to it everybody waits for the count. What comes while a statement is under way goes together with the next; and
 * once a limit is met, nobody asks the database for that key until its window ends. A count that fails is refused as any
 * other statement of the caller would be, and then nobody goes ahead before one has succeeded.
 */
export function createSharedWindows(addTogether: AddTogether): CreateWindows {
  const known = new Map<string, Known>()
  const waiting: Waiting[] = []
  let isUnderWay = false
  let gathering: NodeJS.Timeout | undefined

  function keep(key: string, window: Known): void {
    known.delete(key)
    known.set(key, window)
    const [oldest] = known.keys()
    if (known.size > KEYS_KEPT && oldest !== undefined) known.delete(oldest)
  }

  async function send(together: Waiting[]): Promise<void> {
    const sums = new Map<string, Added & { ahead: number }>()
    for (const { key, windowMs, weight, caller } of together) {
      const sum = sums.get(key) ?? { key, windowMs, weight: 0, ahead: 0 }
      sum.weight += weight
      if (caller === undefined) sum.ahead += weight
      sums.set(key, sum)
    }
    const added = [...sums.values()].map(({ ahead: _ahead, ...each }) => each)
    const counted = new Map((await addTogether(added)).map((each) => [each.key, each]))
    const before = new Map<string, number>()
    for (const { key, count, ttl } of counted.values()) {
      const sum = sums.get(key)
      const ahead = Math.max(0, (known.get(key)?.ahead ?? 0) - (sum?.ahead ?? 0))
      keep(key, { count: count + ahead, ahead, endsAt: performance.now() + ttl })
      before.set(key, count - (sum?.weight ?? 0))
    }
    for (const { key, windowMs, weight, caller } of together) {
      const current = (before.get(key) ?? 0) + weight
      before.set(key, current)
      const ttl = counted.get(key)?.ttl
      if (ttl === undefined) caller?.reject(new Error('A count was not answered'))
      else caller?.resolve({ current, ttl: Math.min(windowMs, Math.max(0, ttl)) })
    }
  }

  async function sendAll(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    if (isUnderWay) return
    isUnderWay = true
    while (waiting.length > 0) {
      const together = waiting.splice(0, KEYS_TOGETHER)
      await send(together).catch((error: unknown) => {
        for (const { key, caller } of together) {
          known.delete(key)
          caller?.reject(error)
        }
      })
    }
    isUnderWay = false
  }

  function add({ key, windowMs, weight = 1, limit }: Addition & { key: string }): Promise<WindowState> {
    const window = known.get(key)
    const ttl = window === undefined ? 0 : window.endsAt - performance.now()
    if (window !== undefined && ttl > 0) {
      const current = window.count + weight
      if (window.count >= limit) return Promise.resolve({ current, ttl })
      if (current <= limit * FREE_PART && window.ahead + weight <= limit * AHEAD_PART) {
        window.count = current
        window.ahead += weight
        waiting.push({ key, windowMs, weight })
        gathering ??= setTimeout(() => void sendAll(), GATHER_MS).unref()
        return Promise.resolve({ current, ttl })
      }
    }
    return new Promise((resolve, reject) => {
      waiting.push({ key, windowMs, weight, caller: { resolve, reject } })
      void sendAll()
    })
  }

  return ({ name }) => ({ add: (addition) => add({ ...addition, key: `${name} ${addition.key}` }) })
}
