import type { Share } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type HandOverLibrary, startHandOvers } from './testing/hand-over-library.ts'

describe.each(routeDatabaseKinds)(
  'what goes with a prompt or a chain to another owner, on %s',
  (database) => {
    let library: HandOverLibrary
    beforeAll(async () => {
      library = await startHandOvers(database)
    })
    afterAll(() => library.close())

    const sharesOf = async (kind: 'prompt' | 'chain', id: number, as = library.recipient) =>
      (await library.send('GET', `/api/${kind}s/${id}/shares`, { as })).body as Share[]

    describe.each(['prompt', 'chain'] as const)('a %s', (kind) => {
      test('The former owner keeps what the offer says: to edit it, or nothing; for everyone else its shares stay.', async () => {
        const { owner } = library
        const [kept, left] = [await library.makeSeen(kind), await library.makeSeen(kind)]
        const others = [
          { username: 'Edda', role: 'editor' },
          { username: 'Vera', role: 'viewer' },
        ]
        await library.offer(kind, kept.id, { keep: 'editor' })
        await library.offer(kind, left.id)
        for (const { id } of [kept, left]) expect((await library.accept(kind, id)).status).toBe(200)
        expect(await sharesOf(kind, kept.id)).toEqual([
          others[0],
          { username: 'Olga', role: 'editor' },
          others[1],
        ])
        expect(await sharesOf(kind, left.id)).toEqual(others)
        expect((await library.read(kind, kept.id, owner)).body).toMatchObject({
          canEdit: true,
          owner: 'Rita',
        })
        expect((await library.read(kind, left.id, owner)).status).toBe(404)
        expect((await library.offer(kind, kept.id)).status).toBe(403)
      })

      test('An editor who becomes the owner is no longer on the list of those whom it is shared with.', async () => {
        const { id } = await library.makeSeen(kind)
        await library.offer(kind, id, { username: 'Edda', keep: 'editor' })
        expect((await library.ownerOf(kind, id, library.editor)).handOver).toMatchObject({
          canView: true,
          canAccept: true,
        })
        expect((await library.acceptAs(library.editor, kind, id)).status).toBe(200)
        expect(await sharesOf(kind, id, library.editor)).toEqual([
          { username: 'Olga', role: 'editor' },
          { username: 'Vera', role: 'viewer' },
        ])
      })

      test('It gets another slug where the new owner has its own already; a slug that it had and they have is theirs.', async () => {
        const recipient = library.recipient
        const name = kind === 'prompt' ? 'title' : 'name'
        const record = await library.make(kind, { [name]: `Our ${kind} one` })
        const { id } = record
        const edit = kind === 'prompt' ? 'PUT' : 'PATCH'
        const body =
          kind === 'prompt' ? { title: `Our ${kind} one`, content: 'x', categoryId: library.categoryId } : {}
        await library.request({
          ...{ method: edit, url: `/api/${kind}s/${id}`, as: library.owner },
          body: { ...body, slug: `second-${kind}` },
        })
        await library.make(kind, { [name]: `Second ${kind}` }, recipient)
        const theirs = await library.make(kind, { [name]: `Our ${kind} one` }, recipient)
        await library.offer(kind, id)
        expect((await library.accept(kind, id)).status).toBe(200)
        const moved = (await library.read(kind, id, recipient)).body as { slug: string }
        expect(moved.slug).toBe(`our-${kind}-one-${id}`)
        const bySlug = async (slug: string) =>
          (
            (await library.send('GET', `/api/${kind}s/by-slug/${slug}`, { as: recipient })).body as {
              id: number
            }
          ).id
        expect([await bySlug(moved.slug), await bySlug(`our-${kind}-one`)]).toEqual([id, theirs.id])
        // Nothing of it is among the former owner’s names.
        const names = sql.identifier(`${kind}_names`)
        const kept = await library.db.execute(
          sql`select name, owner_id from ${names} where ${sql.identifier(`${kind}_id`)} = ${id}`,
        )
        expect(kept.rows).toEqual([{ name: moved.slug, owner_id: recipient.user.id }])
      })

      test('Its test suites go with it, and what its former owner imported or made as an example is no longer theirs to take back.', async () => {
        const { owner, db } = library
        const recipient = library.recipient
        const { id } = await library.make(kind)
        const url = `/api/${kind}s/${id}/test-suites`
        const suite = await library.request({ method: 'POST', url, body: { name: 'Tone' }, as: owner })
        const suiteId = (suite.body as { id: number }).id
        await library.request({
          ...{ method: 'POST', url: `/api/test-suites/${suiteId}/cases`, as: owner },
          body: { name: 'One' },
        })
        await db.execute(
          sql`insert into examples (owner_id, ${sql.identifier(`${kind}_id`)}) values (${owner.user.id}, ${id})`,
        )
        await db.execute(sql`insert into examples (owner_id, suite_id) values (${owner.user.id}, ${suiteId})`)
        await library.offer(kind, id)
        expect((await library.accept(kind, id)).status).toBe(200)
        const owners = await db.execute(sql`
        select owner_id from test_suites where id = ${suiteId} union all select owner_id from test_cases where suite_id = ${suiteId}`)
        expect(owners.rows).toEqual([{ owner_id: recipient.user.id }, { owner_id: recipient.user.id }])
        await library.request({ method: 'DELETE', url: '/api/examples', as: owner })
        expect((await library.read(kind, id, recipient)).status).toBe(200)
        expect((await library.send('GET', `/api/test-suites/${suiteId}`, { as: owner })).status).toBe(404)
      })
    })

    test('A private chain is shared with its former owner alone, where the offer lets them edit it.', async () => {
      const { id } = await library.makeSeen('chain')
      await library.request({
        method: 'PATCH',
        url: `/api/chains/${id}`,
        body: { sharedLevel: 'private' },
        as: library.owner,
      })
      await library.offer('chain', id, { keep: 'editor' })
      expect((await library.accept('chain', id)).status).toBe(200)
      expect(await sharesOf('chain', id)).toEqual([{ username: 'Olga', role: 'editor' }])
      expect((await library.read('chain', id, library.owner)).body).toMatchObject({
        canEdit: true,
        sharedLevel: 'shared',
      })
      expect((await library.read('chain', id, library.viewer)).status).toBe(404)
    })

    test('A prompt with an alias that is a name of one of theirs can’t be accepted until one of the two is removed.', async () => {
      const recipient = library.recipient
      const { id } = await library.make('prompt')
      const theirs = await library.make('prompt', {}, recipient)
      for (const [each, as] of [
        [id, library.owner],
        [theirs.id, recipient],
      ] as const) {
        const added = await library.request({
          method: 'PUT',
          url: `/api/prompts/${each}/aliases/pmpt_one`,
          as,
        })
        expect(added.status, added.text).toBeLessThan(300)
      }
      await library.offer('prompt', id)
      const refused = await library.accept('prompt', id)
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { code: 'name_taken', error: expect.stringContaining('pmpt_one') },
      ])
      expect((await library.read('prompt', id, library.owner)).body).toMatchObject({ owner: 'Olga' })
      await library.request({
        method: 'DELETE',
        url: `/api/prompts/${theirs.id}/aliases/pmpt_one`,
        as: recipient,
      })
      expect((await library.accept('prompt', id)).status).toBe(200)
      const aliases = (await library.send('GET', `/api/prompts/${id}/aliases`, { as: recipient })).body
      expect(aliases).toMatchObject([{ alias: 'pmpt_one' }])
    })
  },
)
