import { closeSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseLog } from '../signals/database-log.ts'

/** Without room for its next segment PostgreSQL does not refuse a statement: it exits. */
const WAL_SEGMENT_BYTES = 16 * 1024 ** 2
/**
 * What is left of the reserve once another part of it is given up: room for the next segment of what goes on, for that of
 * people who sign in to free space, and the last part for a start alone.
 */
const PARTS_LEFT = [2 * WAL_SEGMENT_BYTES, WAL_SEGMENT_BYTES, 0] as const
const FOR_A_START = WAL_SEGMENT_BYTES
const RESERVE_BYTES = 3 * WAL_SEGMENT_BYTES + 4 * 1024 ** 2
export const FULL_BELOW_BYTES = RESERVE_BYTES + WAL_SEGMENT_BYTES
const ROOM_FROM_BYTES = RESERVE_BYTES + 2 * WAL_SEGMENT_BYTES
const POLL_MS = 2_000
const CHUNK = Buffer.alloc(1024 ** 2)
const RESERVE = 'reserve'

export interface DiskSpace {
  isFull(): boolean
  isOut(): boolean
  makeRoom(): void
  freeBytes(): number | null
}

/**
 * Watches the free space of an embedded database, and reserves some of it for when the disk is full. What is given up at
 * once goes to whoever fills the disk: so it is given up in parts, each for a write that needs it now.
 */
export class WatchedDisk implements DiskSpace {
  readonly #reserve: string
  readonly #log: DatabaseLog | undefined
  #timer: NodeJS.Timeout | undefined
  #isFull = false
  #isOut = false

  readonly #readFree: () => number

  constructor({ dataDir, log, readFree = () => readFreeOf(dataDir) }: DiskOptions) {
    this.#readFree = readFree
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
    return this.#readFree()
  }

  poll(): void {
    const reserved = this.#reservedBytes()
    const free = this.freeBytes() + reserved
    if (!this.#isFull && free < FULL_BELOW_BYTES) {
      this.#isFull = true
      this.#log?.error({ free }, 'The disk is full: nothing is written until space is freed')
    }
    if (this.#isFull && free >= ROOM_FROM_BYTES) {
      this.#isFull = false
      this.#log?.warn({ free }, 'There is free space on the disk again')
    }
    this.#isOut = this.#isFull && free - Math.min(reserved, FOR_A_START) < WAL_SEGMENT_BYTES
  }

  makeRoom({ forStart = false } = {}): void {
    const parts = PARTS_LEFT.filter((left) => forStart || left >= FOR_A_START)
    for (const left of parts) {
      if (this.freeBytes() >= WAL_SEGMENT_BYTES) return
      if (left < this.#reservedBytes()) this.#cutTo(left)
    }
  }

  /** Starts polling; making the reserve does not delay the start. */
  watch(): void {
    this.#timer = setInterval(() => {
      try {
        this.poll()
        if (!this.#isFull && this.#reservedBytes() < RESERVE_BYTES) this.#keepAside()
      } catch (error) {
        this.#log?.warn({ err: error }, 'The free space on the disk could not be checked')
      }
    }, POLL_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #reservedBytes(): number {
    return statSync(this.#reserve, { throwIfNoEntry: false })?.size ?? 0
  }

  #cutTo(bytes: number): void {
    const file = openSync(this.#reserve, 'r+')
    try {
      ftruncateSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    this.#log?.warn({ left: bytes }, 'A part of the reserve on the disk was given up')
  }

  /** Adds what is missing of it; its length is what there is, wherever this ends. */
  #keepAside(): void {
    const file = openSync(this.#reserve, 'a', 0o600)
    const before = this.#reservedBytes()
    try {
      for (let left = RESERVE_BYTES - before; left > 0; ) {
        left -= writeSync(file, CHUNK, 0, Math.min(left, CHUNK.length))
      }
      fsyncSync(file)
    } catch (error) {
      ftruncateSync(file, before)
      throw error
    } finally {
      closeSync(file)
    }
  }
}

interface DiskOptions {
  dataDir: string
  log: DatabaseLog | undefined
  readFree?: () => number
}

function readFreeOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

export const unwatchedDisk: DiskSpace = {
  isFull: () => false,
  isOut: () => false,
  makeRoom: () => {},
  freeBytes: () => null,
}
