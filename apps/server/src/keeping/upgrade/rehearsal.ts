export interface RehearsedTable {
  name: string
  before: number | null
  after: number | null
}

interface State {
  program: string
  schema: number
}

export interface Rehearsal {
  takenAt: string
  before: State
  after: State
  /** Until the copy was there and its rows counted. */
  restoreMs: number
  migrations: { name: string; ms: number }[]
  tables: RehearsedTable[]
  room: {
    copyBytes: number
    growthBytes: number
    /** Where the database is; null: on a server, which alone knows. */
    freeBytes: number | null
    fits: boolean
  }
  place: string
}
