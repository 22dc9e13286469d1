import { RECORD_KINDS, type VersionLabels } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { labelsOf } from '../../testing/version-labels.ts'

type Verdict = 'ok' | 'log in' | 'hidden' | 'forbidden'
type Level = 'private' | 'public'

const STATUS = { 'log in': 401, hidden: 404, forbidden: 403 } as const
const RIGHTS = ['see', 'versions', 'move'] as const

const HIDDEN: Verdict[] = ['hidden', 'hidden', 'hidden']
const VIEWER: Verdict[] = ['ok', 'forbidden', 'forbidden']
const EDITOR: Verdict[] = ['ok', 'ok', 'ok']

/** What each person may do with a record that is shared by name, by its level. */
const MATRIX: Record<Level, Record<string, Verdict[]>> = {
  private: {
    guest: ['hidden', 'log in', 'log in'],
    disabled: ['hidden', 'log in', 'log in'],
    other: HIDDEN,
    viewer: VIEWER,
    editor: EDITOR,
    owner: EDITOR,
    admin: HIDDEN,
  },
  public: {
    guest: ['ok', 'log in', 'log in'],
    disabled: ['ok', 'log in', 'log in'],
    other: VIEWER,
    viewer: VIEWER,
    editor: EDITOR,
    owner: EDITOR,
    admin: EDITOR,
  },
}

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  body?: unknown
}

describe.each(routeDatabaseKinds)('who may do what with versions and labels on %s', (database) => {
  let library: Library
  let people: Record<string, TestUser | undefined>
  beforeAll(async () => {
    library = await startLibrary(database)
    const { owner, other, admin } = library
    const viewer = await library.registerUser({ username: 'Vera' })
    const editor = await library.registerUser({ username: 'Edgar' })
    const disabled = await library.registerUser({ username: 'Dora' })
    const url = `/api/admin/users/${disabled.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: admin })
    people = { guest: undefined, disabled, other, viewer, editor, owner, admin }
  })
  afterAll(() => library.close())

  describe.each(RECORD_KINDS)('of a %s', (kind) => {
    /** Two versions, `production` at the first; a chain is public or shared, and so its roles count. */
    async function create(level: Level): Promise<{ id: number; moveId: number }> {
      const { create: make, moved, url } = labelsOf(library, kind)
      const id = await make(2, kind === 'chain' ? { sharedLevel: 'shared' } : {})
      const body = [
        { username: 'Vera', role: 'viewer' },
        { username: 'Edgar', role: 'editor' },
        { username: 'Dora', role: 'editor' },
      ]
      await library.request({ method: 'PUT', url: url(id, 'shares'), body, as: library.owner })
      const { moveId } = await moved(id, { version: 1 })
      if (level === 'public') await publish(id)
      return { id, moveId: moveId ?? 0 }
    }

    const publish = (id: number) =>
      kind === 'chain'
        ? library.db.execute(`update chains set shared_level = 'public' where id = ${id}`)
        : library.db.execute(`update prompts set is_public = true where id = ${id}`)

    /** Every call, each such as would be accepted. */
    function callsOf({ id, moveId }: { id: number; moveId: number }): Record<string, Call[]> {
      const one = `/api/${kind}s/${id}`
      const label = `${one}/labels/production`
      return {
        see: [
          { method: 'GET', url: `${one}/labels` },
          { method: 'GET', url: `${one}/label-moves` },
          { method: 'GET', url: `${one}/label-moves?at=2099-01-01T00:00:00.000Z` },
          { method: 'GET', url: `${label}/dependants` },
        ],
        versions: [
          { method: 'GET', url: `${one}/versions` },
          { method: 'GET', url: `${one}/versions/1` },
          { method: 'GET', url: `${one}/dependants` },
          { method: 'POST', url: `${one}/versions/1/restore` },
          { method: 'DELETE', url: `${one}/versions/2` },
        ],
        move: [
          { method: 'PUT', url: label, body: { version: 2, expectedVersion: 1 } },
          { method: 'PUT', url: `${one}/labels/staging`, body: { version: 2, expectedVersion: null } },
          { method: 'DELETE', url: `${label}?expectedVersion=1` },
          { method: 'POST', url: `${one}/label-moves/${moveId}/undo` },
        ],
      }
    }

    /** What a call that is refused leaves as it is. */
    async function read(id: number): Promise<unknown> {
      const replies = ['labels', 'label-moves'].map((rest) =>
        library.request({ url: `/api/${kind}s/${id}/${rest}`, as: library.owner }),
      )
      return (await Promise.all(replies)).map(({ body }) => body)
    }

    describe.each(Object.keys(MATRIX) as Level[])('that is %s and shared by name', (level) => {
      // An editor of a chain has no role while it is public.
      const verdictsOf = (person: string) =>
        kind === 'chain' && level === 'public' && person === 'editor'
          ? VIEWER
          : (MATRIX[level][person] ?? HIDDEN)

      test.each(Object.keys(MATRIX[level]))(
        'Guest, disabled account, stranger, viewer, editor, owner and administrator each have their rights to labels, moves and versions. (%s)',
        async (person) => {
          const as = people[person]
          const kept = await create(level)
          const before = await read(kept.id)
          for (const [n, right] of RIGHTS.entries()) {
            const verdict = verdictsOf(person)[n] ?? 'hidden'
            for (const place of (callsOf(kept)[right] ?? []).keys()) {
              const of = verdict === 'ok' && right !== 'see' ? await create(level) : kept
              const call = callsOf(of)[right]?.[place] as Call
              if (verdict === 'ok' && call.url.endsWith('/versions/2'))
                await labelsOf(library, kind).save(of.id)
              const reply = await library.request({ ...call, as })
              const context = `${call.method} ${call.url}: ${reply.text}`
              if (verdict === 'ok') expect(reply.status, context).toBeLessThan(300)
              else expect(reply.status, context).toBe(STATUS[verdict])
            }
          }
          expect(await read(kept.id)).toEqual(before)
          if (verdictsOf(person)[0] !== 'ok') return
          const { body } = await library.request({ url: `/api/${kind}s/${kept.id}/labels`, as })
          expect((body as VersionLabels).canMove).toBe(verdictsOf(person)[2] === 'ok')
        },
      )
    })
  })
})
