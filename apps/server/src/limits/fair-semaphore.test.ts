import { expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

/** Lets what is resolved go on. */
const settle = () => new Promise(setImmediate)

function watch(slots: FairSemaphore) {
  const begun: string[] = []
  const leaves = new Map<string, () => void>()
  const acquire = async (owner: number, name: string, signal?: AbortSignal) => {
    const release = await slots.acquire(owner, signal)
    begun.push(release === undefined ? `${name} left` : name)
    if (release !== undefined) leaves.set(name, release)
  }
  return {
    begun,
    take: (owner: number, name: string, signal?: AbortSignal) => void acquire(owner, name, signal),
    leave: async (name: string) => {
      leaves.get(name)?.()
      await settle()
    },
  }
}

test('the second owner waits for one place, however many of the first wait', async () => {
  const { begun, take, leave } = watch(new FairSemaphore(1))
  for (let n = 0; n < 100; n += 1) take(1, `a${n}`)
  take(2, 'b0')
  take(3, 'c0')
  take(2, 'b1')
  await settle()
  expect(begun).toEqual(['a0'])
  for (const name of ['a0', 'b0', 'c0', 'a1', 'b1', 'a2']) await leave(name)
  expect(begun).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3'])
})

test('the owner with fewer places comes first, and a quarter is kept from an owner of all others', async () => {
  const { begun, take, leave } = watch(new FairSemaphore(4))
  for (let n = 0; n < 9; n += 1) take(1, `a${n}`)
  await settle()
  expect(begun).toEqual(['a0', 'a1', 'a2'])
  for (let n = 0; n < 3; n += 1) take(2, `b${n}`)
  await settle()
  expect(begun.slice(3)).toEqual(['b0'])
  await leave('a0')
  await leave('a1')
  expect(begun.slice(4)).toEqual(['b1', 'a3'])
  await leave('b0')
  await leave('b1')
  expect(begun.slice(6)).toEqual(['b2', 'a4'])
})

test('a size that grows is given to those who wait, and one that shrinks to nobody until enough is given back', async () => {
  let size = 1
  const { begun, take, leave } = watch(new FairSemaphore(() => size))
  for (let n = 1; n < 8; n += 1) take(n, `a${n}`)
  await settle()
  expect(begun).toEqual(['a1'])
  size = 4
  await leave('a1')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
  size = 2
  await leave('a2')
  await leave('a3')
  expect(begun).toHaveLength(5)
  await leave('a4')
  expect(begun.at(-1)).toBe('a6')
})

test('an owner who no longer wants a place is passed over, and takes none', async () => {
  const { begun, take, leave } = watch(new FairSemaphore(1))
  const gone = new AbortController()
  take(1, 'a')
  take(2, 'b', gone.signal)
  take(2, 'late', AbortSignal.abort())
  take(3, 'c')
  gone.abort()
  await settle()
  expect(begun).toEqual(['a', 'late left', 'b left'])
  await leave('a')
  take(4, 'd')
  await leave('c')
  expect(begun.slice(3)).toEqual(['c', 'd'])
})
