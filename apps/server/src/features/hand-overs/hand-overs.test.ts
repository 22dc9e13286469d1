import type { HandOver, RecordOwner } from '@catenary/contracts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity, handOvers } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type HandOverLibrary, startHandOvers } from './testing/hand-over-library.ts'

const KINDS = ['prompt', 'chain', 'variable'] as const
const DAY_MS = 24 * 60 * 60 * 1000

describe.each(routeDatabaseKinds)('another owner, on %s', (database) => {
  let library: HandOverLibrary
  beforeAll(async () => {
    library = await startHandOvers(database)
  })
  afterAll(() => library.close())

  describe.each(KINDS)('a %s', (kind) => {
    test('An owner offers a prompt, a chain or a variable to another person, who is its owner from accepting it on.', async () => {
      const { owner, recipient, db } = library
      const record = await library.make(kind)
      const { id } = record
      const offered = await library.offer(kind, id, { username: ' rITA ' })
      const shown = {
        kind,
        id,
        title: expect.stringMatching(/^letter.\d+$/i),
        owner: 'Olga',
        to: 'Rita',
        keep: 'nothing',
        offeredAt: expect.any(String),
        endsAt: expect.any(String),
      }
      const forOwner = { ...shown, canAccept: false, canTakeBack: true, canView: true }
      const forRecipient = { ...shown, canAccept: true, canTakeBack: false, canView: false }
      expect([offered.status, offered.body]).toEqual([200, { owner: 'Olga', handOver: forOwner }])
      const { handOver } = await library.ownerOf(kind, id, recipient)
      expect(handOver).toEqual(forRecipient)
      const [since = 0, until = 0] = [handOver?.offeredAt, handOver?.endsAt].map((at) => Date.parse(at ?? ''))
      expect([until - since, Math.abs(Date.now() - since) < 60_000]).toEqual([30 * DAY_MS, true])
      expect((await library.waiting(recipient))[0]).toEqual(forRecipient)
      expect((await library.waiting(owner))[0]).toEqual(forOwner)
      // Of a private one its title alone.
      expect((await library.read(kind, id, recipient)).status).toBe(404)

      const accepted = await library.accept(kind, id)
      expect([accepted.status, accepted.body]).toEqual([200, { owner: 'Rita', handOver: null }])
      const { status, body } = await library.read(kind, id, recipient)
      expect([status, body]).toMatchObject([200, { owner: 'Rita', canEdit: true, canDelete: true }])
      expect((body as typeof record).revision).toBe(record.revision + 1)
      expect((await library.read(kind, id, owner)).status).toBe(404)
      expect([await library.waits(owner, kind, id), await library.waits(recipient, kind, id)]).toEqual([
        false,
        false,
      ])
      expect((await library.accept(kind, id)).status).toBe(404)

      const acts = await db
        .select()
        .from(activity)
        .where(and(eq(activity.objectType, kind), eq(activity.objectId, id)))
        .orderBy(activity.id)
      const [former, next] = [owner.user.id, recipient.user.id]
      expect(acts.slice(-2)).toMatchObject([
        {
          kind: `${kind}.owner_offered`,
          personId: former,
          ownerId: former,
          after: { to: next, keep: 'nothing' },
        },
        {
          ...{ kind: `${kind}.owner_changed`, personId: next, ownerId: former },
          before: { owner: former },
          after: { owner: next, keep: 'nothing' },
        },
      ])
    })

    test('The owner takes an offer back, the other declines it, and another offer replaces it.', async () => {
      const { owner, other, recipient } = library
      const { id } = await library.make(kind)
      expect((await library.end(kind, id, owner)).status).toBe(404)
      await library.offer(kind, id)
      expect((await library.end(kind, id, owner)).status).toBe(204)
      expect([(await library.accept(kind, id)).status, await library.waits(recipient, kind, id)]).toEqual([
        404,
        false,
      ])
      await library.offer(kind, id)
      expect((await library.end(kind, id, recipient)).status).toBe(204)
      expect([
        (await library.accept(kind, id)).status,
        (await library.end(kind, id, recipient)).status,
      ]).toEqual([404, 404])
      await library.offer(kind, id)
      await library.offer(kind, id, { username: 'Oskar' })
      expect([
        (await library.accept(kind, id)).status,
        (await library.end(kind, id, recipient)).status,
      ]).toEqual([404, 404])
      expect((await library.acceptAs(other, kind, id)).body).toEqual({ owner: 'Oskar', handOver: null })
    })

    const WHO = {
      offer: { owner: 200, editor: 403, viewer: 403, admin: 403, outsider: 403 },
      accept: { recipient: 200, owner: 404, editor: 404, viewer: 404, admin: 404, outsider: 404 },
      end: { owner: 204, recipient: 204, editor: 403, viewer: 403, admin: 403, outsider: 403 },
    } as const
    test.each(['owner', 'recipient', 'editor', 'viewer', 'admin', 'outsider', 'guest', 'ended account'])(
      'what the %s may do with an offer',
      async (who) => {
        const as = library.people[who]
        const sees = kind === 'variable' || ['owner', 'editor', 'viewer'].includes(who)
        const expected = (call: keyof typeof WHO) => {
          if (who === 'guest' || who === 'ended account') return 401
          const status = (WHO[call] as Record<string, number>)[who] ?? 403
          return status === 403 && !sees ? 404 : status
        }
        const { id } = await library.makeSeen(kind)
        expect((await library.offerAs(as, kind, id, 'Edda')).status).toBe(expected('offer'))
        await library.offer(kind, id)
        const shown = await library.send('GET', library.pathOf(kind, id), { as })
        const isSigned = expected('end') !== 401
        expect(shown.status).toBe(isSigned ? (sees || who === 'recipient' ? 200 : 404) : 401)
        if (shown.status === 200) {
          const isParty = who === 'owner' || who === 'recipient' || (who === 'admin' && sees)
          expect((shown.body as RecordOwner).handOver !== null).toBe(isParty)
        }
        if (isSigned)
          expect(await library.waits(as as TestUser, kind, id)).toBe(who === 'owner' || who === 'recipient')
        expect((await library.acceptAs(as, kind, id)).status).toBe(expected('accept'))
        if (who === 'recipient') await library.offer(kind, id, { as, username: 'Olga' })
        expect((await library.end(kind, id, as)).status).toBe(expected('end'))
      },
    )

    test.each([
      { username: 'Nobody', message: 'There is no account named Nobody' },
      { username: '%', message: 'There is no account named %' },
      // Disabled.
      { username: 'Dora', message: 'There is no account named Dora' },
      { username: 'OLGA', message: `This ${kind} is yours already` },
      { username: ' ', message: 'Name a person' },
      { keep: 'viewer', message: expect.stringContaining('Invalid') },
    ])('refused: $message', async ({ message, ...fields }) => {
      const { id } = await library.make(kind)
      const reply = await library.offer(kind, id, fields as { username: string })
      const path = 'keep' in fields ? 'keep' : 'username'
      expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path, message }] }])
      expect((await library.ownerOf(kind, id, library.owner)).handOver).toBeNull()
    })

    test('An offer ends after 30 days, and counts for nothing while one of the two accounts is disabled.', async () => {
      const { recipient, db } = library
      const former = await library.registerUser()
      const { id } = await library.make(kind, {}, former)
      await library.offerAs(former, kind, id, 'Rita')
      const isOpen = async () => [
        (await library.ownerOf(kind, id, recipient)).handOver !== undefined,
        await library.waits(recipient, kind, id),
      ]
      const moveBack = (by: string) =>
        db.execute(sql`update hand_overs set created_at = created_at - ${by}::interval`)
      expect(await isOpen()).toEqual([true, true])
      await library.disable(former)
      expect([...(await isOpen()), (await library.accept(kind, id)).status]).toEqual([false, false, 404])
      await library.disable(former, false)
      await moveBack('29 days 23 hours')
      expect(await isOpen()).toEqual([true, true])
      await moveBack('1 hour')
      expect([...(await isOpen()), (await library.accept(kind, id)).status]).toEqual([false, false, 404])
    })

    test('An offer goes with its record, and with either account.', async () => {
      const { admin } = library
      const count = (id: number) => library.db.$count(handOvers, eq(handOvers[`${kind}Id`], id))
      const [former, gone] = [await library.registerUser(), await library.registerUser()]
      const deleted = await library.make(kind)
      const ofOwner = await library.make(kind, {}, former)
      const ofRecipient = await library.make(kind)
      const url = `/api/${kind}s/${deleted.id}`
      await library.offer(kind, deleted.id)
      await library.send('DELETE', url, { as: library.owner })
      expect([await count(deleted.id), (await library.accept(kind, deleted.id)).status]).toEqual([0, 404])
      await library.offerAs(former, kind, ofOwner.id, 'Adam')
      await library.offer(kind, ofRecipient.id, { username: gone.user.username })
      expect([await count(ofOwner.id), await count(ofRecipient.id)]).toEqual([1, 1])
      const ids = [former.user.id, gone.user.id]
      await library.db.execute(sql`delete from users where ${inArray(sql`id`, ids)}`)
      expect([await count(ofOwner.id), await count(ofRecipient.id)]).toEqual([0, 0])
      expect((await library.acceptAs(admin, kind, ofOwner.id)).status).toBe(404)
      expect((await library.ownerOf(kind, ofRecipient.id, library.owner)).handOver).toBeNull()
    })

    test('What the new owner keeps counts towards their limits, no longer towards the former owner’s; beyond a limit nothing changes.', async () => {
      const { owner, admin } = library
      const full = await library.registerUser()
      const { id } = await library.make(kind)
      await library.offer(kind, id, { username: full.user.username })
      const url = `/api/admin/users/${full.user.id}/quotas`
      await library.request({ method: 'PATCH', url, body: { [`${kind}s`]: 0 }, as: admin })
      const refused = await library.acceptAs(full, kind, id)
      expect([refused.status, refused.body]).toMatchObject([403, { details: { bound: 0 } }])
      expect(await library.ownerOf(kind, id, owner)).toMatchObject({
        owner: 'Olga',
        handOver: { to: full.user.username },
      })

      const usageOf = async ({ user }: TestUser) =>
        (await library.db.execute(sql`select * from usages where user_id = ${user.id}`)).rows[0]
      const [mine, theirs] = [await usageOf(owner), await usageOf(full)]
      await library.request({ method: 'PATCH', url, body: { [`${kind}s`]: 1 }, as: admin })
      expect((await library.acceptAs(full, kind, id)).status).toBe(200)
      const [less, more] = [await usageOf(owner), await usageOf(full)]
      const difference = (one: typeof mine, before: typeof mine) =>
        Object.fromEntries(
          Object.keys(one ?? {}).flatMap((key) => {
            const by = Number(one?.[key]) - Number(before?.[key])
            return by === 0 ? [] : [[key, by]]
          }),
        )
      const gained = difference(more, theirs)
      expect(gained).toMatchObject({ [`${kind}s`]: 1, text: expect.any(Number) })
      if (kind !== 'variable') expect(gained).toMatchObject({ versions: 1 })
      const lost = Object.fromEntries(Object.entries(gained).map(([key, by]) => [key, -by]))
      expect(difference(less, mine)).toEqual(lost)
      // What goes later goes from the new owner’s.
      await library.request({ method: 'DELETE', url: `/api/${kind}s/${id}`, as: full })
      expect(await usageOf(full)).toEqual(theirs)
      expect(await usageOf(owner)).toEqual(less)
    })

    test('Of two who accept at the same time, or twice, one is the owner.', async () => {
      const { id } = await library.make(kind)
      await library.offer(kind, id)
      const sends = [() => library.accept(kind, id), () => library.accept(kind, id)]
      const replies = await Promise.all(sends.map((each) => each()))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
    })
  })

  test('A repeated call with its key does nothing again.', async () => {
    const { id } = await library.make('prompt')
    const headers = { 'idempotency-key': 'offer-once' }
    const body = { username: 'Rita', keep: 'nothing' }
    const once = () =>
      library.request({ method: 'POST', url: library.pathOf('prompt', id), body, headers, as: library.owner })
    expect((await once()).body).toEqual((await once()).body)
    const accepting = () =>
      library.request({
        ...{ method: 'POST', url: `${library.pathOf('prompt', id)}/accept`, as: library.recipient },
        headers: { 'idempotency-key': 'accept-once' },
      })
    expect([(await accepting()).status, (await accepting()).status]).toEqual([200, 200])
  })

  test('Offers are listed page by page, newest first.', async () => {
    const as = await library.registerUser()
    const ids: number[] = []
    for (const kind of KINDS) {
      const { id } = await library.make(kind, {}, as)
      await library.offer(kind, id, { as })
      ids.unshift(id)
    }
    const first = await library.send('GET', '/api/hand-overs?limit=2', { as })
    expect(first.headers['x-total-count']).toBe('3')
    const next = await library.send(
      'GET',
      `/api/hand-overs?limit=2&cursor=${first.headers['x-next-cursor']}`,
      { as },
    )
    const listed = [first, next].flatMap(({ body }) => body as HandOver[])
    expect(listed.map(({ id }) => id)).toEqual(ids)
    expect(listed.map(({ kind }) => kind)).toEqual(KINDS.toReversed())
  })
})
