import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WatchedDisk } from './disk-space.ts'

const MIB = 1024 ** 2
const WHOLE = 52

let dataDir: string
/** Of the whole disk, and what others have of it; in MiB. */
let size: number
let others: number
let disk: WatchedDisk
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as never
const reserve = () => path.join(dataDir, 'reserve')
const reserved = () => (statSync(reserve(), { throwIfNoEntry: false })?.size ?? 0) / MIB
const free = () => Math.max(0, size - others - reserved())
/** Another program takes all there is. */
const fill = () => {
  others += free()
}
const newDisk = () => new WatchedDisk({ dataDir, log, readFree: () => free() * MIB })

beforeEach(() => {
  vi.useFakeTimers()
  dataDir = mkdtempSync(path.join(tmpdir(), 'disk-'))
  size = 1_000
  others = 0
  disk = newDisk()
  disk.watch()
  vi.advanceTimersByTime(2_000)
})
afterEach(() => {
  disk.close()
  vi.useRealTimers()
  rmSync(dataDir, { recursive: true, force: true })
})

test('the reserve stays while another program fills the disk, whatever is looked at', () => {
  expect(reserved()).toBe(WHOLE)
  fill()
  vi.advanceTimersByTime(60_000)
  expect(disk.isFull()).toBe(true)
  expect(disk.isOut()).toBe(false)
  expect(reserved()).toBe(WHOLE)
})

test('it is given up in parts, each for a write that needs it, and the last for a start alone', () => {
  const left: number[] = []
  for (let round = 0; round < 4; round += 1) {
    fill()
    disk.poll()
    disk.makeRoom()
    // There is room for a write now, and another changes nothing.
    disk.makeRoom()
    left.push(reserved())
  }
  expect(left).toEqual([32, 16, 16, 16])
  disk.poll()
  expect(disk.isOut()).toBe(true)
  const next = newDisk()
  next.poll()
  expect(next.isFull()).toBe(true)
  next.makeRoom({ forStart: true })
  expect(reserved()).toBe(0)
  expect(free()).toBe(16)
  next.close()
})

test('where there is room nothing is given up', () => {
  others = size - WHOLE - 16
  disk.poll()
  disk.makeRoom()
  disk.makeRoom({ forStart: true })
  expect(reserved()).toBe(WHOLE)
})

test('of the one file of the version before, and of one that was cut short, what is there counts and the rest is added', () => {
  writeFileSync(reserve(), Buffer.alloc(36 * MIB))
  fill()
  disk.poll()
  disk.makeRoom()
  expect(reserved()).toBe(16)
  others = 0
  vi.advanceTimersByTime(4_000)
  expect(disk.isFull()).toBe(false)
  expect(reserved()).toBe(WHOLE)
  truncateSync(reserve(), 5 * MIB + 3)
  vi.advanceTimersByTime(2_000)
  expect(reserved()).toBe(WHOLE)
})
