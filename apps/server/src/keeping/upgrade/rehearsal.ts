/** How many rows a table has; null: there is no such table. */
export interface RehearsedTable {
  name: string
  before: number | null
  after: number | null
}

interface State {
  /** The version of the program: that wrote the copy, and this one. */
  program: string
  /** How many migrations the database has had. */
  schema: number
}

/** What an upgrade of a copy came to. */
export interface Rehearsal {
  /** When the copy was made, ISO. */
  takenAt: string
  before: State
  after: State
  /** Until the copy was there and its rows counted. */
  restoreMs: number
  /** Those that were run, in order. */
  migrations: { name: string; ms: number }[]
  tables: RehearsedTable[]
  room: {
    /** Of the copy that is made first. */
    copyBytes: number
    /** What the database took more at its largest. */
    growthBytes: number
    /** Where the database is; null: on a server, which alone knows. */
    freeBytes: number | null
    fits: boolean
  }
  /** Where it took place, and is gone again. */
  place: string
}
