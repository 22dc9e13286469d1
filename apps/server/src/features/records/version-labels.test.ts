import { type LabelMove, RECORD_KINDS } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labelMoves } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { conflictOf, labelsOf } from '../../testing/version-labels.ts'

const LABELS_MAX = 50

describe.each(routeDatabaseKinds)('labels on %s', (database) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(database)
  })
  afterAll(() => library.close())

  describe.each(RECORD_KINDS)('of a %s', (kind) => {
    const labels = () => labelsOf(library, kind)

    test('A version carries labels. Each move is kept with who, when and why.', async () => {
      const { create, moved, read, shown, moves, remove } = labels()
      const id = await create(3)
      const first = await moved(id, { version: 1, reason: ' first release ' })
      await moved(id, { label: 'staging', version: 3 })
      const second = await moved(id, { version: 2, expectedVersion: 1 })
      const movedAt = expect.stringMatching(/Z$/)
      expect(second).toMatchObject({
        latest: 3,
        labels: [
          { label: 'production', version: 2, movedBy: 'Olga', movedAt },
          { label: 'staging', version: 3, movedBy: 'Olga', movedAt },
        ],
      })
      expect(await shown(id)).toEqual({ production: 2, staging: 3 })
      const removed = await remove(id, 2)
      expect(removed.status, removed.text).toBe(200)
      expect((await read(id)).labels.map(({ label }) => label)).toEqual(['staging'])
      const shared = { movedBy: 'Olga', movedAt, override: false, evaluationId: null, label: 'production' }
      expect(await moves(id, '?label=production')).toEqual([
        { ...shared, id: expect.any(Number), fromVersion: 2, toVersion: null, reason: '' },
        { ...shared, id: second.moveId, fromVersion: 1, toVersion: 2, reason: '' },
        { ...shared, id: first.moveId, fromVersion: null, toVersion: 1, reason: 'first release' },
      ])
      expect(await moves(id)).toHaveLength(4)
    })

    test('A move names the version that it saw; a stale one is 409 with where the label is now.', async () => {
      const { create, moved, move, remove, shown, moves } = labels()
      const id = await create(3)
      await moved(id, { version: 1 })
      for (const expectedVersion of [null, 2]) {
        const refused = conflictOf(await move(id, { version: 3, expectedVersion }))
        expect(refused).toEqual({ code: 'LABEL_MOVED', label: 'production', version: 1 })
      }
      expect(conflictOf(await remove(id, 2))).toMatchObject({ code: 'LABEL_MOVED', version: 1 })
      const nowhere = conflictOf(await move(id, { label: 'staging', version: 3, expectedVersion: 1 }))
      expect(nowhere).toEqual({ code: 'LABEL_MOVED', label: 'staging', version: null })
      expect(await shown(id)).toEqual({ production: 1 })
      expect(await moves(id)).toHaveLength(1)
    })

    test('a move to where it already is records none', async () => {
      const { create, moved, moves } = labels()
      const id = await create()
      await moved(id, { version: 1 })
      expect(await moved(id, { version: 1, expectedVersion: 1 })).toMatchObject({ moveId: null })
      expect(await moves(id)).toHaveLength(1)
    })

    test.each(['latest', '3', 'Production', '-x', 'a b', 'a'.repeat(37), 'ä', '%0a'])(
      '`latest`, numbers, and what is no valid label can’t be created. (%j)',
      async (label) => {
        const { create, move, shown } = labels()
        const id = await create()
        expect((await move(id, { label: encodeURIComponent(label), version: 1 })).status).toBe(400)
        expect(await shown(id)).toEqual({})
      },
    )

    test.each([
      ['of no version', { version: 9 }],
      ['of a version below 1', { version: 0 }],
      ['of half a version', { version: 1.5 }],
      ['without the version that was seen', { version: 1, expectedVersion: undefined }],
      ['with another field', { version: 1, evaluationId: 7 }],
      ['with a long reason', { version: 1, reason: 'r'.repeat(501) }],
    ])('a move %s is refused', async (_what, body) => {
      const { create, url, moves } = labels()
      const id = await create()
      const wanted = { expectedVersion: null, ...body }
      const reply = await library.request({
        ...{ method: 'PUT', url: url(id, 'labels/production'), body: wanted },
        as: library.owner,
      })
      expect(reply.status, reply.text).toBe(400)
      expect(await moves(id)).toEqual([])
    })

    test('versions and moves of another record can’t be reached under this one', async () => {
      const { create, moved, move, undo } = labels()
      const [mine, long] = [await create(), await create(4)]
      const { moveId } = await moved(long, { version: 4 })
      expect((await move(mine, { version: 4 })).status).toBe(400)
      expect((await undo(mine, moveId)).status).toBe(404)
    })

    test('a record has at most so many labels', async () => {
      const { create, move, moved } = labels()
      const id = await create()
      for (let n = 0; n < LABELS_MAX; n += 1) await moved(id, { label: `n${n}`, version: 1 })
      expect((await move(id, { version: 1 })).status).toBe(400)
    })

    test('A version with a label can’t be deleted, and the bound on kept versions spares it.', async () => {
      const { create, moved, url, shown } = labels()
      const id = await create(3)
      await moved(id, { version: 1 })
      const end = (number: number) =>
        library.request({ method: 'DELETE', url: url(id, `versions/${number}`), as: library.owner })
      expect(conflictOf(await end(1))).toEqual({ code: 'VERSION_IN_USE', labels: ['production'] })
      expect(conflictOf(await end(3))).toEqual({ code: 'VERSION_IN_USE', labels: [] })
      expect((await end(2)).status).toBe(204)
      expect((await end(2)).status).toBe(404)
      const { body, headers } = await library.request({ url: url(id, 'versions'), as: library.owner })
      expect((body as { number: number }[]).map(({ number }) => number)).toEqual([3, 1])
      expect(headers['x-total-count']).toBe('2')
      expect(await shown(id)).toEqual({ production: 1 })
    })

    test('A move can be undone.', async () => {
      const { create, moved, undo, shown, remove } = labels()
      const id = await create(2)
      const placed = await moved(id, { version: 1 })
      const next = await moved(id, { version: 2, expectedVersion: 1 })
      expect(conflictOf(await undo(id, placed.moveId))).toEqual({
        ...{ code: 'LABEL_MOVED', label: 'production', version: 2 },
      })
      expect((await undo(id, next.moveId, { body: { reason: 'too soon' } })).status).toBe(200)
      expect(await shown(id)).toEqual({ production: 1 })
      expect((await undo(id, next.moveId)).status).toBe(409)
      const taken = (await remove(id, 1)).body as { moveId: number }
      expect((await undo(id, taken.moveId)).status).toBe(200)
      expect(await shown(id)).toEqual({ production: 1 })
      const fresh = await moved(id, { label: 'staging', version: 2 })
      expect((await undo(id, fresh.moveId)).status).toBe(200)
      expect(await shown(id)).toEqual({ production: 1 })
    })

    test('it goes with its record', async () => {
      const { create, moved, url } = labels()
      const id = await create()
      await moved(id, { version: 1 })
      const gone = await library.request({
        ...{ method: 'DELETE', url: `/api/${kind}s/${id}` },
        as: library.owner,
      })
      expect(gone.status, gone.text).toBe(204)
      expect((await library.request({ url: url(id), as: library.owner })).status).toBe(404)
    })
  })

  test('‘What was live then’ is found among 1,000 moves.', async () => {
    const { create, moves } = labelsOf(library, 'prompt')
    const id = await create()
    const names = ['production', 'staging', 'canary']
    const begun = Date.parse('2026-03-01T00:00:00.000Z')
    const live: Record<string, number | null> = {}
    const rows = Array.from({ length: 1000 }, (_, n) => {
      const label = names[(n % 5) % 3] ?? ''
      const fromVersion = live[label] ?? null
      const toVersion = n % 11 === 10 ? null : (n % 90) + 1
      live[label] = toVersion
      const movedAt = new Date(begun + n * 1000)
      const move = { promptId: id, label, fromVersion, toVersion, movedAt, reason: '', override: false }
      return {
        move,
        live: Object.fromEntries(Object.entries(live).filter(([, version]) => version !== null)),
      }
    })
    await library.db.insert(labelMoves).values(rows.map(({ move }) => move))
    const liveAt = async (time: number) => {
      const live = await moves(id, `?at=${new Date(time).toISOString()}`)
      return Object.fromEntries(live.map(({ label, toVersion }) => [label, toVersion]))
    }
    for (let n = 0; n < 1000; n += 13) {
      expect(await liveAt(begun + n * 1000)).toEqual(rows[n]?.live)
      expect(await liveAt(begun + n * 1000 + 999)).toEqual(rows[n]?.live)
    }
    expect(await liveAt(begun - 1)).toEqual({})
    const [last] = await moves(id, `?at=2099-01-01T00:00:00.000Z&label=staging`)
    expect([last?.label, last?.toVersion]).toEqual(['staging', live.staging])
  })

  test('the moves are read in pages', async () => {
    const { create, moved, url } = labelsOf(library, 'chain')
    const id = await create(2)
    for (let n = 0; n < 5; n += 1) {
      await moved(id, { version: (n % 2) + 1, expectedVersion: n === 0 ? null : ((n + 1) % 2) + 1 })
    }
    const read = async (query: string) => {
      const { body, headers } = await library.request({
        url: url(id, `label-moves?limit=2${query}`),
        as: library.owner,
      })
      return { moves: body as LabelMove[], next: headers['x-next-cursor'] }
    }
    const pages = [await read('')]
    while (pages.at(-1)?.next) pages.push(await read(`&cursor=${pages.at(-1)?.next}`))
    expect(pages.map(({ moves }) => moves.length)).toEqual([2, 2, 1])
    const ids = pages.flatMap(({ moves }) => moves.map(({ id }) => id))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(5)
  })
})
