import type pg from 'pg'
import type { DatabaseLog } from '../signals/database-log.ts'
import { isMoverAlive, readMarks } from './move-marks.ts'
import type { RowChanges } from './row-changes.ts'

export interface MoveState {
  current(): 'moving' | 'moved' | null
}

interface WatchOptions {
  pool: pg.Pool
  rowChanges: Pick<RowChanges, 'subscribe'>
  log: DatabaseLog | undefined
}

const POLL_MS = 2_000

export class MoveWatch implements MoveState {
  readonly #pool: pg.Pool
  readonly #log: DatabaseLog | undefined
  #state: 'moving' | 'moved' | null = null
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ pool, rowChanges, log }: WatchOptions) {
    this.#pool = pool
    this.#log = log
    rowChanges.subscribe((change) => {
      if (change === null || change.table === 'settings') void this.#look()
    })
  }

  current(): 'moving' | 'moved' | null {
    return this.#state
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return
    try {
      this.#state = await this.#read()
    } catch (error) {
      this.#log?.warn({ err: error }, 'Whether the database is being moved could not be read')
    }
    clearTimeout(this.#timer)
    if (this.#state !== null) this.#timer = setTimeout(() => void this.#look(), POLL_MS).unref()
  }

  async #read(): Promise<'moving' | 'moved' | null> {
    const { moving, moved } = await readMarks(this.#pool)
    if (moved !== undefined) return 'moved'
    if (moving === undefined) return null
    if (await isMoverAlive(this.#pool)) return 'moving'
    await this.#pool.query(`delete from settings where key = 'moving'`)
    return null
  }
}

export const neverMoved: MoveState = { current: () => null }
