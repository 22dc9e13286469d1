type CachedTable =
  | 'users'
  | 'sessions'
  | 'categories'
  | 'tags'
  | 'prompts'
  | 'chains'
  | 'api_tokens'
  | 'variables'

/** `any`: every row of the table, including future ones. */
type Row = `${CachedTable}:${number | 'any'}`

interface RowChange {
  table: string
  ids: number[] | null
}

export interface RowChanges {
  readonly isListening: boolean
  /** Calls back for each change, and with null where some may have been missed. */
  subscribe(onChange: (change: RowChange | null) => void): void
}

interface CacheOptions<Wanted, Value> {
  rowChanges: RowChanges
  load: (wanted: Wanted) => Promise<Value>
  /** The same for what may share a value; unless given, the wanted itself. */
  keyOf?: (wanted: Wanted) => unknown
  rowsOf: (value: NonNullable<Value>) => Row[]
  /** What all values may take together: their number, unless `sizeOf` says otherwise. */
  capacity: number
  sizeOf?: (value: NonNullable<Value>) => number
}

interface Entry<Value> {
  value: Value
  rows: Row[]
  size: number
  loadedAt: number
}

export interface ReadThrough<Wanted, Value> {
  (wanted: Wanted): Promise<Value>
  peek(wanted: Wanted): Value | undefined
}

/** Bounds what can be missed: a connection may be dead without anyone knowing yet. */
const LONGEST_AGE_MS = 30_000

/**
 * Like `load`, but from memory until a row of the value is written: evicted before the writer goes on in this
 * process, and when the notification arrives from another. Absent values are not cached, nor is anything while
 * notifications don't arrive.
 */
export function readThroughCache<Wanted, Value>({
  rowChanges,
  load,
  keyOf = (wanted) => wanted,
  rowsOf,
  capacity,
  sizeOf = () => 1,
}: CacheOptions<Wanted, Value>): ReadThrough<Wanted, Value> {
  /** The least recently used comes first. */
  const entries = new Map<unknown, Entry<NonNullable<Value>>>()
  const keysOf = new Map<string, Set<unknown>>()
  const loading = new Map<unknown, Promise<Value>>()
  let size = 0

  function evict(key: unknown): void {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    size -= entry.size
    for (const row of entry.rows) {
      const keys = keysOf.get(row)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(row)
    }
  }

  function store(key: unknown, value: NonNullable<Value>, loadedAt: number): void {
    evict(key)
    const entry = { value, rows: rowsOf(value), size: sizeOf(value), loadedAt }
    entries.set(key, entry)
    size += entry.size
    for (const row of entry.rows) keysOf.set(row, (keysOf.get(row) ?? new Set<unknown>()).add(key))
    for (const oldest of entries.keys()) {
      if (size <= capacity) return
      evict(oldest)
    }
  }

  function loadAndStore(key: unknown, wanted: Wanted): Promise<Value> {
    const loadedAt = performance.now()
    const loaded = load(wanted)
      .then((value) => {
        const isCurrent = loading.get(key) === loaded
        if (isCurrent && value !== undefined && value !== null) store(key, value, loadedAt)
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

  rowChanges.subscribe((change) => {
    // A load in progress may be from before the change, whichever rows it reads.
    loading.clear()
    for (const row of changedRows(change)) for (const key of keysOf.get(row) ?? []) evict(key)
  })

  function peek(wanted: Wanted): Value | undefined {
    const key = keyOf(wanted)
    const entry = entries.get(key)
    if (entry === undefined || performance.now() - entry.loadedAt >= LONGEST_AGE_MS) return undefined
    entries.delete(key)
    entries.set(key, entry)
    return entry.value
  }

  const read = async (wanted: Wanted): Promise<Value> => {
    const known = peek(wanted)
    if (known !== undefined) return known
    const key = keyOf(wanted)
    return rowChanges.isListening ? (loading.get(key) ?? loadAndStore(key, wanted)) : load(wanted)
  }
  return Object.assign(read, { peek })
}
