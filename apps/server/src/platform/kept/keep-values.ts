/** Tables whose writes notify, including those of rows that belong to them. */
type KeptTable =
  | 'users'
  | 'sessions'
  | 'categories'
  | 'tags'
  | 'prompts'
  | 'chains'
  | 'api_tokens'
  | 'variables'

/** `any`: every row of the table, including future ones. */
type Row = `${KeptTable}:${number | 'any'}`

/** Rows of a table that were written; any of them where there are no ids. */
interface RowChange {
  table: string
  ids: number[] | null
}

/** What the database tells of written rows. */
export interface RowChanges {
  /** Whether the changes of every process arrive. */
  readonly areHeard: boolean
  /** Calls back for each change, and with null where some may have been missed. */
  follow(onChange: (change: RowChange | null) => void): void
}

interface KeepOptions<Wanted, Value> {
  rowChanges: RowChanges
  load: (wanted: Wanted) => Promise<Value>
  /** The same for what may share a value; unless given, the wanted itself. */
  keyOf?: (wanted: Wanted) => unknown
  /** Each row that the value was made of. */
  rowsOf: (value: NonNullable<Value>) => Row[]
  /** What all values may take together: their number, unless `sizeOf` says otherwise. */
  capacity: number
  sizeOf?: (value: NonNullable<Value>) => number
}

interface Kept<Value> {
  value: Value
  rows: Row[]
  size: number
  loadedAt: number
}

/** Bounds what can go unheard: a connection that is dead and not yet known to be. */
const LONGEST_AGE_MS = 30_000

/**
 * Like `load`, but from memory until a row of the value is written: evicted before the writer goes on in this
 * process, and when the notification arrives from another. Absent values are not cached, nor is anything while
 * notifications don't arrive.
 */
export function keepValues<Wanted, Value>({
  rowChanges,
  load,
  keyOf = (wanted) => wanted,
  rowsOf,
  capacity,
  sizeOf = () => 1,
}: KeepOptions<Wanted, Value>): (wanted: Wanted) => Promise<Value> {
  /** The one that was not asked for longest comes first. */
  const kept = new Map<unknown, Kept<NonNullable<Value>>>()
  const keysOf = new Map<string, Set<unknown>>()
  /** Loads begun after the last change, shared by concurrent readers. */
  const loading = new Map<unknown, Promise<Value>>()
  let size = 0

  function forget(key: unknown): void {
    const entry = kept.get(key)
    if (entry === undefined) return
    kept.delete(key)
    size -= entry.size
    for (const row of entry.rows) {
      const keys = keysOf.get(row)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(row)
    }
  }

  function keep(key: unknown, value: NonNullable<Value>, loadedAt: number): void {
    forget(key)
    const entry = { value, rows: rowsOf(value), size: sizeOf(value), loadedAt }
    kept.set(key, entry)
    size += entry.size
    for (const row of entry.rows) keysOf.set(row, (keysOf.get(row) ?? new Set<unknown>()).add(key))
    for (const oldest of kept.keys()) {
      if (size <= capacity) return
      forget(oldest)
    }
  }

  function loadAndKeep(key: unknown, wanted: Wanted): Promise<Value> {
    const loadedAt = performance.now()
    const loaded = load(wanted)
      .then((value) => {
        const isCurrent = loading.get(key) === loaded
        if (isCurrent && value !== undefined && value !== null) keep(key, value, loadedAt)
        return value
      })
      .finally(() => {
        if (loading.get(key) === loaded) loading.delete(key)
      })
    loading.set(key, loaded)
    return loaded
  }

  function changedRows(change: RowChange | null): Iterable<string> {
    if (change === null) return keysOf.keys()
    const { table, ids } = change
    if (ids !== null) return [...ids, 'any'].map((row) => `${table}:${row}`)
    return [...keysOf.keys()].filter((row) => row.startsWith(`${table}:`))
  }

  rowChanges.follow((change) => {
    // A load in progress may be from before the change, whichever rows it reads.
    loading.clear()
    for (const row of changedRows(change)) for (const key of keysOf.get(row) ?? []) forget(key)
  })

  return async (wanted) => {
    const key = keyOf(wanted)
    const entry = kept.get(key)
    if (entry !== undefined && performance.now() - entry.loadedAt < LONGEST_AGE_MS) {
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    }
    return rowChanges.areHeard ? (loading.get(key) ?? loadAndKeep(key, wanted)) : load(wanted)
  }
}
