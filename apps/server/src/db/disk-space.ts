import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { DatabaseLog } from './database-log.ts'

/** Without room for its next segment PostgreSQL does not refuse a statement: it exits. */
const WAL_SEGMENT_BYTES = 16 * 1024 ** 2
/** Reserved for a full disk: room for its next segment, and for that of people who sign in to free space. */
const RESERVE_BYTES = 2 * WAL_SEGMENT_BYTES + 4 * 1024 ** 2
/** With less than this, the reserve included, nobody may write any more. */
export const FULL_BELOW_BYTES = RESERVE_BYTES + WAL_SEGMENT_BYTES
/** With this much, writes are accepted again. */
const ROOM_FROM_BYTES = RESERVE_BYTES + 2 * WAL_SEGMENT_BYTES
const POLL_MS = 2_000
const CHUNK = Buffer.alloc(1024 ** 2)
const RESERVE = 'reserve'

export interface DiskSpace {
  isFull(): boolean
  /** Even the reserve is used up. */
  isOut(): boolean
  /** Null if the disk is not ours to watch. */
  freeBytes(): number | null
}

/** Watches the free space of an embedded database, and reserves some of it for when the disk is full. */
export class WatchedDisk implements DiskSpace {
  readonly #dataDir: string
  readonly #reserve: string
  readonly #log: DatabaseLog | undefined
  #timer: NodeJS.Timeout | undefined
  #isFull = false
  #isOut = false

  constructor({ dataDir, log }: { dataDir: string; log: DatabaseLog | undefined }) {
    this.#dataDir = dataDir
    this.#reserve = path.join(dataDir, RESERVE)
    this.#log = log
  }

  isFull(): boolean {
    return this.#isFull
  }

  isOut(): boolean {
    return this.#isOut
  }

  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#dataDir)
    return bavail * bsize
  }

  /** Gives the database the reserve once no other space is left. */
  poll(): void {
    const free = this.freeBytes() + (existsSync(this.#reserve) ? RESERVE_BYTES : 0)
    if (!this.#isFull && free < FULL_BELOW_BYTES) {
      this.#isFull = true
      rmSync(this.#reserve, { force: true })
      this.#log?.error({ free }, 'The disk is full: nothing is written until there is room')
    }
    if (this.#isFull && free >= ROOM_FROM_BYTES) {
      this.#isFull = false
      this.#log?.warn({ free }, 'There is room on the disk again')
    }
    this.#isOut = this.#isFull && free < WAL_SEGMENT_BYTES
  }

  /** Starts polling; making the reserve does not delay the start. */
  watch(): void {
    this.#timer = setInterval(() => {
      try {
        this.poll()
        if (!this.#isFull && !existsSync(this.#reserve)) this.#keepAside()
      } catch (error) {
        this.#log?.warn({ err: error }, 'The room on the disk could not be looked at')
      }
    }, POLL_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #keepAside(): void {
    const unfinished = `${this.#reserve}.new`
    const file = openSync(unfinished, 'w', 0o600)
    try {
      for (let at = 0; at < RESERVE_BYTES; ) at += writeSync(file, CHUNK, 0, CHUNK.length, at)
      fsyncSync(file)
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, this.#reserve)
  }
}

/** For a server, which watches its own disk. */
export const unwatchedDisk: DiskSpace = { isFull: () => false, isOut: () => false, freeBytes: () => null }
