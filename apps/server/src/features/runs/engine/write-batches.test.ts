import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchWrites } from './write-batches.ts'

/** A writer that takes a moment, refuses what is below zero, and keeps what it was given. */
function createWriter() {
  const statements: number[][] = []
  const write = async (items: number[]) => {
    statements.push(items)
    await delay(5)
    if (items.some((item) => item < 0)) throw new Error('refused')
    return items.map((item) => item * 10)
  }
  return { statements, write }
}

test('one without company goes at once; those that come meanwhile go together, as many as may', async () => {
  const { statements, write } = createWriter()
  const send = batchWrites(write, { size: 3 })
  expect(await Promise.all([1, 2, 3, 4, 5].map(send))).toEqual([10, 20, 30, 40, 50])
  expect(statements).toEqual([[1], [2, 3, 4], [5]])
})

test('Of steps that are written together, one can fail alone.', async () => {
  const { write } = createWriter()
  const send = batchWrites(write, { size: 8 })
  const results = await Promise.allSettled([1, 2, -3, 4].map(send))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await send(5)).toBe(50)
})

test('where each goes by itself, none waits for another', async () => {
  const { statements, write } = createWriter()
  const send = batchWrites(write, { size: 1 })
  await Promise.all([1, 2, 3].map(send))
  expect(statements).toEqual([[1], [2], [3]])
})
