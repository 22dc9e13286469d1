/** What is written together waits so long, from the first of it on. */
const WRITE_AFTER_MS = 1_000

interface LateWrites<Item> {
  /** Items of one key become one. */
  keyOf: (item: Item) => string
  sumOf: (before: Item, item: Item) => Item
  /** Resolves to what could not be written yet, which is tried again; never rejects. */
  write: (items: Item[]) => Promise<Item[]>
}

/** Writes what calls count. A call waits for none of it; a process that is killed loses its last second. */
export function createLateWriter<Item>({ keyOf, sumOf, write }: LateWrites<Item>) {
  const pending = new Map<string, Item>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function add(item: Item): void {
    const key = keyOf(item)
    const before = pending.get(key)
    pending.set(key, before === undefined ? item : sumOf(before, item))
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref()
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(async () => {
      const items = [...pending.values()]
      pending.clear()
      if (items.length > 0) for (const item of await write(items)) add(item)
    })
    return writing
  }

  return { add, flush }
}
