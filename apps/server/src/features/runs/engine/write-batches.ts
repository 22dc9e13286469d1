import { setImmediate as nextTurn } from 'node:timers/promises'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Writes that arrive during a statement share the next one; a single write goes at once. `size` 1: no sharing. */
export function batchWrites<Item, Result>(
  write: (items: Item[]) => Promise<Result[]>,
  { size }: { size: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isWriting = false

  async function writeOne({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    await write([item]).then(([result]) => resolve(result as Result), reject)
  }

  async function writeBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    const [only] = batch
    if (batch.length === 1 && only !== undefined) return writeOne(only)
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch {
      // A write that fails does not fail the others.
      for (const single of batch) await writeOne(single)
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, size)
      await writeBatch(batch)
      // Those that were just answered together may come together again.
      if (batch.length > 1) await nextTurn()
    }
    isWriting = false
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    if (size === 1) void writeOne({ item, resolve, reject })
    else {
      waiting.push({ item, resolve, reject })
      if (!isWriting) void writeAll()
    }
    return promise
  }
}
