import { afterAll, expect, test } from 'vitest'
import { createBoundedWork, type TaskOf } from './bounded-work.ts'
import type { Takes } from './testing/greedy-task.ts'
import { WorkRefused } from './work-refused.ts'

const bounded = createBoundedWork()
afterAll(() => bounded.close())

const GREEDY: TaskOf<typeof import('./testing/greedy-task.ts')> = {
  module: new URL('./testing/greedy-task.ts', import.meta.url),
  what: 'Reading',
  limitMs: 60_000,
  sizeOf: ({ text }) => text.length,
  sizeMax: 1_000,
}
/** These processes give way to others: on a busy machine a heap is filled slowly. */
const PATIENCE_MS = 90_000
const SHORT = { ...GREEDY, limitMs: 200 }
const asked = (takes: Takes, text = 'text') => ({ takes, text })
const refusal = (why: string, message: string) =>
  expect.objectContaining({ name: WorkRefused.name, why, message })

const LATE = 'Reading took more than 200 ms and was ended'
const MUCH = 'Reading took too much memory and was ended'

test.each([
  ['time', SHORT, 'time', LATE],
  ['built-in', SHORT, 'time', LATE],
  ['memory', GREEDY, 'memory', MUCH],
  ['one piece', GREEDY, 'memory', MUCH],
  ['depth', GREEDY, 'depth', 'Reading: it is nested too deep'],
] as const)(
  'what takes too much (%s) is refused, and the next is done',
  async (takes, task, why, message) => {
    const { run } = bounded.open({ owner: 1 })
    await expect(run(task, asked(takes))).rejects.toEqual(refusal(why, message))
    expect(await run(GREEDY, asked('nothing'))).toBe(4)
  },
  PATIENCE_MS,
)

test('a limit of processor time leaves alone what only waits, and ends what works', async () => {
  const { run } = bounded.open({ owner: 1 })
  const byProcessor = { ...GREEDY, limitMs: 300, byProcessor: true }
  expect(await run(byProcessor, asked('waiting'))).toBe(4)
  expect(await run(byProcessor, asked('waiting'))).toBe(4)
  const ended = 'Reading took more than 300 ms of processor time and was ended'
  await expect(run(byProcessor, asked('time'))).rejects.toEqual(refusal('time', ended))
  await expect(run(byProcessor, asked('built-in'))).rejects.toEqual(refusal('time', ended))
  expect(await run(GREEDY, asked('nothing'))).toBe(4)
})

test(
  'thousands of short tasks with a limit of processor time are all done',
  async () => {
    const { run } = bounded.open({ owner: 1 })
    const byProcessor = { ...GREEDY, limitMs: 10_000, byProcessor: true }
    for (let task = 0; task < 10_000; task += 1) expect(await run(byProcessor, asked('nothing'))).toBe(4)
  },
  PATIENCE_MS,
)

test('input that is too large is refused before it is sent, and a fault of ours is reported as such', async () => {
  const { run } = bounded.open({ owner: 1 })
  const large = run(GREEDY, asked('nothing', 'x'.repeat(1_001)))
  await expect(large).rejects.toEqual(refusal('size', 'Reading: more than 1,000 characters'))
  await expect(run(GREEDY, asked('fault'))).rejects.toThrow('a fault of ours')
})

test('all tasks of a call share its time', async () => {
  const { run } = bounded.open({ owner: 1, limitMs: 500 })
  const ended = 'Reading took more than 500 ms and was ended'
  await expect(run(GREEDY, asked('time'))).rejects.toEqual(refusal('time', ended))
  await expect(run(GREEDY, asked('nothing'))).rejects.toEqual(refusal('time', ended))
})

test('another person’s task is done while one has twenty that take forever', async () => {
  const leave = new AbortController()
  let ended = 0
  const greedy = Array.from({ length: 20 }, () =>
    bounded
      .open({ owner: 1, signal: leave.signal })
      .run(GREEDY, asked('time'))
      .catch(() => {
        ended += 1
      }),
  )
  expect(await bounded.open({ owner: 2 }).run(GREEDY, asked('nothing'))).toBe(4)
  expect(ended).toBe(0)
  leave.abort()
  await Promise.all(greedy)
})

test('when a caller leaves, running work is ended and waiting work is dropped', async () => {
  const leave = new AbortController()
  const { run } = bounded.open({ owner: 1, signal: leave.signal })
  const tasks = Array.from({ length: 3 }, () => run(GREEDY, asked('time')))
  const own = bounded.open({ owner: 1 }).run(GREEDY, asked('nothing'))
  leave.abort()
  for (const task of tasks) {
    await expect(task).rejects.toEqual(refusal('left', 'Reading was ended: nobody waits for it'))
  }
  expect(await own).toBe(4)
})
