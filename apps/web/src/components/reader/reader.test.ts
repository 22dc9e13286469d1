import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { read } from './reader.ts'
import type { ReaderReply, ReaderRequest } from './reader-tasks.ts'

/** A browser's worker that never finishes the text that it is given. */
class BusyWorker {
  static opened: BusyWorker[] = []
  isEnded = false
  onmessage: ((event: { data: ReaderReply }) => void) | null = null
  onerror: (() => void) | null = null
  constructor() {
    BusyWorker.opened.push(this)
  }
  postMessage({ id, input }: ReaderRequest) {
    this.onmessage?.({ data: { id, kind: 'begun' } })
    if (JSON.stringify(input).includes('endless')) return
    this.onmessage?.({ data: { id, kind: 'read', result: 'read' } })
  }
  terminate() {
    this.isEnded = true
  }
}

beforeEach(() => {
  BusyWorker.opened = []
  vi.useFakeTimers()
  vi.stubGlobal('Worker', BusyWorker)
})
afterEach(() => {
  vi.useRealTimers()
  // Suites share their modules, and this one's holds a worker that reads nothing.
  vi.resetModules()
})

test('a text that takes longer than 1.5 s is ended, and the next one is read by another worker', async () => {
  vi.resetModules()
  const fresh: { read: typeof read } = await import('./reader.ts')
  const endless = fresh.read({ task: 'colours', input: { code: 'endless', language: null } })
  const next = fresh.read({ task: 'colours', input: { code: 'short', language: null } })
  await vi.advanceTimersByTimeAsync(1_400)
  expect(BusyWorker.opened.map(({ isEnded }) => isEnded)).toEqual([false])
  await vi.advanceTimersByTimeAsync(200)
  expect(await endless).toEqual({ kind: 'refused' })
  expect(await next).toMatchObject({ kind: 'read', result: 'read' })
  expect(BusyWorker.opened.map(({ isEnded }) => isEnded)).toEqual([true, false])
  // What was refused is not tested again.
  const again = await fresh.read({ task: 'colours', input: { code: 'endless', language: null } })
  expect(again).toEqual({ kind: 'refused' })
  expect(BusyWorker.opened).toHaveLength(2)
})
