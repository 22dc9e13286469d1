import { type Chain, type ChainListItem, chainListItem, chain as chainShape } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { users } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('the list of chains on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const ask = ({ as, tag, path = '' }: { as?: TestUser | undefined; tag?: string; path?: string } = {}) =>
    library.request({ url: `/api/chains${path}`, as, ...(tag && { headers: { 'if-none-match': tag } }) })
  const tagFor = async (as?: TestUser) => String((await ask({ as })).headers.etag)
  const list = async (as?: TestUser, path = '') => (await ask({ as, path })).body as ChainListItem[]
  const idsOf = (items: ChainListItem[]) => items.map(({ id }) => id)

  test('GET /api/chains lists the last updated first.', async () => {
    const { owner } = library
    const made: Chain[] = []
    for (const name of ['a', 'b', 'c']) made.push(await library.createChain(owner, { name }))
    const [a, b, c] = made.map(({ id }) => id)
    expect(idsOf(await list(owner))).toEqual([c, b, a])
    await library.createStep(owner, a ?? 0)
    expect(idsOf(await list(owner))).toEqual([a, c, b])
    const shares = { method: 'PUT', url: `/api/chains/${b}/shares`, body: [], as: owner } as const
    await library.request(shares)
    expect(idsOf(await list(owner))).toEqual([b, a, c])
  })

  test('GET /api/chains/by-tags?tagIds=&tagIds= finds chains with any of the tags (D19).', async () => {
    const { owner, other } = library
    const tags = []
    for (const name of ['red', 'green', 'blue'])
      tags.push(await library.createTag(owner, name, '/api/chain-tags'))
    const [red, green, blue] = tags.map(({ id }) => id)
    const both = await library.createChain(owner, { tagIds: [red, green], sharedLevel: 'public' })
    const one = await library.createChain(owner, { tagIds: [green] })
    const by = async (query: string, as = owner) => idsOf(await list(as, `/by-tags${query}`))
    expect(await by(`?tagIds=${red}`)).toEqual([both.id])
    expect(await by(`?tagIds=${red}&tagIds=${green}`)).toEqual([one.id, both.id])
    expect(await by(`?tagIds=${green}`, other)).toEqual([both.id])
    expect(await by(`?tagIds=${blue}`)).toEqual([])
    expect(await by('')).toEqual(idsOf(await list(owner)))
    for (const query of ['?tagIds=x', '?tagIds=', '?tagIds=1,2', '?tag=1']) {
      expect((await ask({ path: `/by-tags${query}`, as: owner })).status, query).toBe(400)
    }
  })

  test('mine and shared with me divide it, with tags and counts', async () => {
    const { owner, admin } = library
    const reader = await library.registerUser({ username: 'Rita' })
    const tag = await library.createTag(owner, 'divided', '/api/chain-tags')
    const own = await library.createChain(reader, { sharedLevel: 'public' })
    const given = await library.createChain(owner, { sharedLevel: 'shared', tagIds: [tag.id] })
    const resting = await library.createChain(owner, { sharedLevel: 'private' })
    for (const { id } of [given, resting]) {
      const body = [{ username: 'Rita', role: 'viewer' }]
      await library.request({ method: 'PUT', url: `/api/chains/${id}/shares`, body, as: owner })
    }
    const of = async (query: string, as?: TestUser) => {
      const reply = await ask({ as, path: query })
      return [idsOf(reply.body as ChainListItem[]), reply.headers['x-total-count']]
    }
    expect(await of('?ownership=mine', reader)).toEqual([[own.id], '1'])
    expect(await of('?ownership=shared', reader)).toEqual([[given.id], '1'])
    expect(await of(`/by-tags?tagIds=${tag.id}&ownership=shared`, reader)).toEqual([[given.id], '1'])
    expect(await of('?ownership=mine&visibility=private', reader)).toEqual([[], '0'])
    for (const as of [admin, undefined]) expect(await of('?ownership=shared', as)).toEqual([[], '0'])
    expect(await of('?ownership=mine')).toEqual([[], '0'])
  })

  test('GET /api/chains answers 304 while nothing changed for its viewer.', async () => {
    const { owner, other, admin } = library
    const whole = await ask({ as: owner })
    const again = await ask({ as: owner, tag: String(whole.headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers).toMatchObject({ etag: whole.headers.etag, 'cache-control': 'private, no-cache' })
    const tags = await Promise.all([owner, other, admin, undefined].map((as) => tagFor(as)))
    expect(new Set(tags).size).toBe(4)
    await library.db.update(users).set({ role: 'admin' }).where(sql`${users.id} = ${other.user.id}`)
    expect(await tagFor(other)).not.toBe(tags[1])
    await library.db.update(users).set({ role: 'user' }).where(sql`${users.id} = ${other.user.id}`)
  })

  test('changes with each change that it shows', async () => {
    const { owner, other } = library
    const made = await library.createChain(owner, { sharedLevel: 'shared' })
    const url = `/api/chains/${made.id}`
    const send = async (method: 'PUT' | 'PATCH' | 'POST' | 'DELETE', path: string, body?: unknown) => {
      const reply = await library.request({ method, url: path, body, as: owner })
      expect(reply.status, reply.text).toBeLessThan(300)
      return reply.body
    }
    const tag = await library.createTag(owner, 'first', '/api/chain-tags')
    const { id: stepId } = await library.createStep(owner, made.id)
    const asRole = (role: string) => send('PUT', `${url}/shares`, [{ username: 'Oskar', role }])
    const changes: [string, () => Promise<unknown>, TestUser[]][] = [
      ['a share', () => asRole('viewer'), [owner, other]],
      ['another role', () => asRole('editor'), [owner, other]],
      ['name', () => send('PATCH', url, { name: 'Another' }), [owner, other]],
      ['tags', () => send('PATCH', url, { tagIds: [tag.id] }), [owner, other]],
      ['no tags', () => send('PATCH', url, { tagIds: [] }), [owner, other]],
      ['a step', () => library.createStep(owner, made.id), [owner, other]],
      ['a step less', () => send('DELETE', `${url}/steps/${stepId}`), [owner, other]],
      ['private', () => send('PATCH', url, { sharedLevel: 'private' }), [owner, other]],
      ['shared again', () => send('PATCH', url, { sharedLevel: 'shared' }), [owner, other]],
      ['no share', () => send('PUT', `${url}/shares`, []), [owner, other]],
      ['new chain', () => library.createChain(owner), [owner]],
      ['deletion', () => send('DELETE', url), [owner]],
    ]
    const seen = new Map([
      [owner, new Set([await tagFor(owner)])],
      [other, new Set([await tagFor(other)])],
    ])
    for (const [name, change, viewers] of changes) {
      const before = await tagFor(other)
      await change()
      for (const viewer of viewers) {
        const after = await tagFor(viewer)
        if (viewer === other) expect(after, name).not.toBe(before)
        else expect(seen.get(viewer), name).not.toContain(after)
        seen.get(viewer)?.add(after)
      }
    }
  })

  test('In the list of chains, steps serve to count them.', async () => {
    const { db } = library
    const many = await library.registerUser({ username: 'Many' })
    await db.execute(sql`
      insert into chains (owner_id, name) select ${many.user.id}, 'Long ' || n from generate_series(1, 20) n`)
    await db.execute(sql`
      insert into chain_steps (chain_id, position, model, output_variable_name, content)
      select chains.id, n, 'openai', 'out_' || n, 'whisper' from chains, generate_series(1, 100) n
      where owner_id = ${many.user.id}`)
    const reply = await ask({ as: many })
    const items = z.array(chainListItem).parse(reply.body)
    const long = items.filter(({ owner }) => owner === 'Many')
    expect(long.map(({ steps }) => steps.length)).toEqual(Array.from({ length: 20 }, () => 100))
    expect(reply.text).not.toContain('whisper')
    const whole = await ask({ as: many, path: `/${long[0]?.id}` })
    expect(chainShape.parse(whole.body).steps).toHaveLength(100)
  })
})
