import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RowChanges, readThroughCache } from './read-through-cache.ts'

type OnChange = Parameters<RowChanges['subscribe']>[0]

/** Changes that the test itself reports. */
function createChanges() {
  const followers: OnChange[] = []
  const notify: OnChange = (change) => {
    for (const onChange of followers) onChange(change)
  }
  return { isListening: true, subscribe: (onChange: OnChange) => void followers.push(onChange), notify }
}

interface Value {
  id: number
  owner: number
  version: number
}

/** Cached values of the keys 1, 2, 3 …, each made of the prompt of that id, and of user 1 if odd, else 2. */
function start({ capacity = 100 } = {}) {
  const changes = createChanges()
  const load = vi.fn(async (id: number): Promise<Value | undefined> => {
    return { id, owner: 2 - (id % 2), version: load.mock.calls.length }
  })
  const rowsOf = ({ id, owner }: Value) => [`prompts:${id}`, `users:${owner}`] as const
  const find = readThroughCache({
    rowChanges: changes,
    load,
    rowsOf: (value) => [...rowsOf(value)],
    capacity,
  })
  const loaded = () => load.mock.calls.map(([id]) => id)
  return { changes, load, find, loaded }
}

describe('a cached value', () => {
  it('is loaded once, until one of its rows changes', async () => {
    const { changes, find, loaded } = start()
    expect(await find(1)).toBe(await find(1))
    changes.notify({ table: 'prompts', ids: [2, 3] })
    changes.notify({ table: 'users', ids: [2] })
    changes.notify({ table: 'tags', ids: null })
    await find(1)
    expect(loaded()).toEqual([1])
    changes.notify({ table: 'prompts', ids: [7, 1] })
    expect(await find(1)).toMatchObject({ version: 2 })
    changes.notify({ table: 'users', ids: [1] })
    expect(await find(1)).toMatchObject({ version: 3 })
  })

  it('of any row of a table goes with each that is written, also a new one', async () => {
    const changes = createChanges()
    const load = vi.fn(async (_wanted: 'all') => new Set<string>())
    const find = readThroughCache({ rowChanges: changes, load, rowsOf: () => ['variables:any'], capacity: 1 })
    await find('all')
    changes.notify({ table: 'prompts', ids: [1] })
    await find('all')
    expect(load).toHaveBeenCalledTimes(1)
    for (const ids of [[7], null]) {
      changes.notify({ table: 'variables', ids })
      await find('all')
    }
    expect(load).toHaveBeenCalledTimes(3)
  })

  it('goes with all others when any row of a table may have changed, or any at all', async () => {
    const { changes, find, loaded } = start()
    await find(1)
    await find(2)
    changes.notify({ table: 'prompts', ids: null })
    await find(1)
    await find(2)
    changes.notify(null)
    await find(1)
    await find(2)
    expect(loaded()).toEqual([1, 2, 1, 2, 1, 2])
  })

  it('is shared by readers while it is loaded, but not with one who asks after a change', async () => {
    const { changes, load, find, loaded } = start()
    const before = Promise.withResolvers<Value>()
    load.mockReturnValueOnce(before.promise)
    const asked = [find(1), find(1)]
    await vi.waitFor(() => expect(loaded()).toEqual([1]))
    changes.notify({ table: 'prompts', ids: [9] })
    const after = await find(1)
    before.resolve({ id: 1, owner: 1, version: -1 })
    expect((await Promise.all(asked)).map((value) => value?.version)).toEqual([-1, -1])
    expect(await find(1)).toBe(after)
  })

  it('is not cached when it is absent or could not be loaded', async () => {
    const { load, find, loaded } = start()
    load.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('away'))
    expect(await find(1)).toBeUndefined()
    await expect(find(1)).rejects.toThrow('away')
    expect(await find(1)).toMatchObject({ version: 3 })
    await find(1)
    expect(loaded()).toEqual([1, 1, 1])
  })

  it('is not cached while notifications do not arrive', async () => {
    const { changes, find, loaded } = start()
    await find(1)
    changes.isListening = false
    changes.notify(null)
    await Promise.all([find(1), find(1)])
    await find(1)
    expect(loaded()).toEqual([1, 1, 1, 1])
    const lastUnheard = find(1)
    changes.isListening = true
    changes.notify(null)
    await lastUnheard
    await find(1)
    await find(1)
    expect(loaded()).toHaveLength(6)
  })

  it('makes room when there is no more: the one that was not asked for longest goes', async () => {
    const { changes, find, loaded } = start({ capacity: 3 })
    for (const id of [1, 2, 3, 1, 4]) await find(id)
    expect(loaded()).toEqual([1, 2, 3, 4])
    for (const id of [1, 3, 4]) await find(id)
    expect(loaded()).toHaveLength(4)
    await find(2)
    changes.notify({ table: 'users', ids: [2] })
    for (const id of [2, 3, 4]) await find(id)
    expect(loaded()).toEqual([1, 2, 3, 4, 2, 2, 4])
  })
})

describe('the age of a cached value', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is at most half a minute, counted from when it was asked for', async () => {
    const { load, find, loaded } = start()
    const slow = Promise.withResolvers<Value>()
    load.mockReturnValueOnce(slow.promise)
    const asked = find(1)
    vi.advanceTimersByTime(10_000)
    slow.resolve({ id: 1, owner: 1, version: 1 })
    await asked
    vi.advanceTimersByTime(19_999)
    await find(1)
    expect(loaded()).toEqual([1])
    vi.advanceTimersByTime(1)
    await find(1)
    expect(loaded()).toEqual([1, 1])
  })
})

it('a reader never gets an older value than was reported before, however loads and changes meet', async () => {
  const step = fc.record({ id: fc.integer({ min: 1, max: 3 }), kind: fc.constantFrom('read', 'write') })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 30 }), async (scheduler, steps) => {
      const changes = createChanges()
      const stored = new Map<number, number>()
      const reported = new Map<number, number>()
      const versionIn = (versions: Map<number, number>, id: number) => versions.get(id) ?? 0
      const find = readThroughCache({
        rowChanges: changes,
        // The statement reaches the database some time after it was sent, its reply some time after that.
        load: async (id: number) => {
          await scheduler.schedule(Promise.resolve())
          const version = versionIn(stored, id)
          await scheduler.schedule(Promise.resolve())
          return { id, version }
        },
        rowsOf: ({ id }) => [`prompts:${id}`],
        capacity: 2,
      })
      const read = async (id: number) => {
        await scheduler.schedule(Promise.resolve())
        const atLeast = versionIn(reported, id)
        expect((await find(id))?.version).toBeGreaterThanOrEqual(atLeast)
      }
      const write = async (id: number) => {
        await scheduler.schedule(Promise.resolve())
        const version = versionIn(stored, id) + 1
        stored.set(id, version)
        await scheduler.schedule(Promise.resolve())
        changes.notify({ table: 'prompts', ids: [id] })
        reported.set(id, Math.max(version, versionIn(reported, id)))
      }
      const all = Promise.all(steps.map(({ id, kind }) => (kind === 'read' ? read(id) : write(id))))
      await scheduler.waitFor(all)
    }),
    { numRuns: 500 },
  )
})
