import type { Addition, CreateWindows, WindowState } from './windows.ts'

interface Added {
  key: string
  windowMs: number
  weight: number
}

/** Adds to windows in the database; each key is named once, and answered with all that came. */
type AddTogether = (added: Added[]) => Promise<{ key: string; count: number; ttl: number }[]>

interface Waiting extends Added {
  resolve: (state: WindowState) => void
  reject: (error: unknown) => void
}

const KEYS_TOGETHER = 500
const KEYS_KEPT = 10_000

/**
 * Counts for all processes of a database. What comes while a statement is under way goes together with the next; and once
 * a limit is met, nobody asks the database for that key until its window ends. A count that fails is refused as any
 * other statement of the caller would be.
 */
export function createSharedWindows(addTogether: AddTogether): CreateWindows {
  const known = new Map<string, { count: number; endsAt: number }>()
  const waiting: Waiting[] = []
  let isUnderWay = false

  function keep({ key, count, ttl }: { key: string; count: number; ttl: number }): void {
    known.delete(key)
    known.set(key, { count, endsAt: performance.now() + ttl })
    const [oldest] = known.keys()
    if (known.size > KEYS_KEPT && oldest !== undefined) known.delete(oldest)
  }

  async function send(together: Waiting[]): Promise<void> {
    const sums = new Map<string, Added>()
    for (const { key, windowMs, weight } of together) {
      sums.set(key, { key, windowMs, weight: weight + (sums.get(key)?.weight ?? 0) })
    }
    const counted = new Map((await addTogether([...sums.values()])).map((each) => [each.key, each]))
    const before = new Map<string, number>()
    for (const each of counted.values()) {
      keep(each)
      before.set(each.key, each.count - (sums.get(each.key)?.weight ?? 0))
    }
    for (const { key, windowMs, weight, resolve, reject } of together) {
      const current = (before.get(key) ?? 0) + weight
      before.set(key, current)
      const ttl = counted.get(key)?.ttl
      if (ttl === undefined) reject(new Error('A count was not answered'))
      else resolve({ current, ttl: Math.min(windowMs, Math.max(0, ttl)) })
    }
  }

  async function sendAll(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) {
      const together = waiting.splice(0, KEYS_TOGETHER)
      await send(together).catch((error: unknown) => {
        for (const { reject } of together) reject(error)
      })
    }
    isUnderWay = false
  }

  function add({ key, windowMs, weight = 1, limit }: Addition & { key: string }): Promise<WindowState> {
    const met = known.get(key)
    const ttl = met === undefined ? 0 : met.endsAt - performance.now()
    if (met !== undefined && ttl > 0 && met.count >= limit)
      return Promise.resolve({ current: met.count + weight, ttl })
    return new Promise((resolve, reject) => {
      waiting.push({ key, windowMs, weight, resolve, reject })
      if (!isUnderWay) void sendAll()
    })
  }

  return ({ name }) => ({ add: (addition) => add({ ...addition, key: `${name} ${addition.key}` }) })
}
