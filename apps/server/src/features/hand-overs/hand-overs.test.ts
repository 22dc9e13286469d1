import type { HandOver, OwnedKind, RecordOwner, Share } from '@catenary/contracts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity, handOvers } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const KINDS = ['prompt', 'chain', 'variable'] as const
const RECORD_KINDS = ['prompt', 'chain'] as const
const DAY_MS = 24 * 60 * 60 * 1000

describe.each(routeDatabaseKinds)('another owner, on %s', (database) => {
  let library: Library
  let clock = Date.now()
  const people: Record<string, TestUser | undefined> = {}
  beforeAll(async () => {
    library = await startLibrary(database, { now: () => new Date(clock) })
    const names = { recipient: 'Rita', viewer: 'Vera', editor: 'Edda', 'ended account': 'Dora' }
    for (const [who, username] of Object.entries(names)) people[who] = await library.registerUser({ username })
    const { owner, other: outsider, admin } = library
    Object.assign(people, { owner, outsider, admin, guest: undefined })
    await disable(person('ended account'))
  })
  afterAll(() => library.close())

  const person = (who: string) => people[who] as TestUser
  const disable = ({ user }: TestUser, disabled = true) =>
    library.request({
      ...{ method: 'PATCH', url: `/api/admin/users/${user.id}`, as: library.admin },
      body: { disabled },
    })
  let made = 0
  const make = async (kind: OwnedKind, fields: object = {}, as = library.owner) => {
    made += 1
    if (kind === 'prompt') return library.createPrompt(as, { title: `Letter ${made}`, ...fields })
    if (kind === 'chain') return library.createChain(as, { name: `Letter ${made}`, ...fields })
    return library.createVariable(as, { name: `name_${made}`, ...fields })
  }
  /** Seen by an editor and a viewer; of a variable, by everyone. */
  const makeSeen = async (kind: OwnedKind) => {
    const seen = { prompt: {}, chain: { sharedLevel: 'shared' }, variable: { isPublic: true } }
    const record = await make(kind, seen[kind])
    if (kind !== 'variable') {
      const shares = [
        { username: 'Vera', role: 'viewer' },
        { username: 'Edda', role: 'editor' },
      ]
      const url = `/api/${kind}s/${record.id}/shares`
      await library.request({ method: 'PUT', url, body: shares, as: library.owner })
    }
    return record
  }
  const pathOf = (kind: OwnedKind, id: number) => `/api/${kind}s/${id}/owner`
  const send = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { as, body }: { as?: TestUser | undefined; body?: object } = {},
  ) => library.request({ method, url, as, body })
  const offer = (kind: OwnedKind, id: number, { as = library.owner, ...body }: { as?: TestUser | undefined; username?: string; keep?: string } = {}) =>
    send('POST', pathOf(kind, id), { as, body: { username: 'Rita', keep: 'nothing', ...body } })
  const accept = (kind: OwnedKind, id: number, as: TestUser | undefined = person('recipient')) =>
    send('POST', `${pathOf(kind, id)}/accept`, { as })
  const end = (kind: OwnedKind, id: number, as: TestUser | undefined) =>
    send('DELETE', pathOf(kind, id), { as })
  const ownerOf = async (kind: OwnedKind, id: number, as: TestUser | undefined = person('recipient')) =>
    (await send('GET', pathOf(kind, id), { as })).body as RecordOwner
  const waiting = async (as: TestUser) =>
    (await send('GET', '/api/hand-overs', { as })).body as HandOver[]
  const waits = async (as: TestUser, id: number) => (await waiting(as)).some((one) => one.id === id)
  const read = (kind: OwnedKind, id: number, as: TestUser | undefined) => send('GET', `/api/${kind}s/${id}`, { as })

  describe.each(KINDS)('a %s', (kind) => {
    test('An owner offers a prompt, a chain or a variable to another person, who is its owner from accepting it on.', async () => {
      const { owner, db } = library
      const recipient = person('recipient')
      const record = await make(kind)
      const { id } = record
      const offered = await offer(kind, id, { username: ' rITA ' })
      const shown = {
        kind,
        id,
        title: 'title' in record ? record.title : record.name,
        owner: 'Olga',
        to: 'Rita',
        keep: 'nothing',
        offeredAt: new Date(clock).toISOString(),
        endsAt: new Date(clock + 30 * DAY_MS).toISOString(),
      }
      const forOwner = { ...shown, canAccept: false, canTakeBack: true, canView: true }
      const forRecipient = { ...shown, canAccept: true, canTakeBack: false, canView: false }
      expect([offered.status, offered.body]).toEqual([200, { owner: 'Olga', handOver: forOwner }])
      expect(await ownerOf(kind, id)).toEqual({ owner: 'Olga', handOver: forRecipient })
      expect((await waiting(recipient))[0]).toEqual(forRecipient)
      expect((await waiting(owner))[0]).toEqual(forOwner)
      // Of a private one its title alone.
      expect((await read(kind, id, recipient)).status).toBe(404)

      const accepted = await accept(kind, id)
      expect([accepted.status, accepted.body]).toEqual([200, { owner: 'Rita', handOver: null }])
      const { status, body } = await read(kind, id, recipient)
      expect([status, body]).toMatchObject([200, { owner: 'Rita', canEdit: true, canDelete: true }])
      expect((body as typeof record).revision).toBe(record.revision + 1)
      expect((await read(kind, id, owner)).status).toBe(404)
      expect([await waits(owner, id), await waits(recipient, id)]).toEqual([false, false])
      expect((await accept(kind, id)).status).toBe(404)

      const acts = await db
        .select()
        .from(activity)
        .where(and(eq(activity.objectType, kind), eq(activity.objectId, id)))
        .orderBy(activity.id)
      const [former, next] = [owner.user.id, recipient.user.id]
      expect(acts.slice(-2)).toMatchObject([
        { kind: `${kind}.owner_offered`, personId: former, ownerId: former, after: { to: next, keep: 'nothing' } },
        {
          ...{ kind: `${kind}.owner_changed`, personId: next, ownerId: former },
          before: { owner: former },
          after: { owner: next, keep: 'nothing' },
        },
      ])
    })

    test('The owner takes an offer back, the other declines it, and another offer replaces it.', async () => {
      const { owner, other } = library
      const recipient = person('recipient')
      const { id } = await make(kind)
      expect((await end(kind, id, owner)).status).toBe(404)
      await offer(kind, id)
      expect((await end(kind, id, owner)).status).toBe(204)
      expect([(await accept(kind, id)).status, await waits(recipient, id)]).toEqual([404, false])
      await offer(kind, id)
      expect((await end(kind, id, recipient)).status).toBe(204)
      expect([(await accept(kind, id)).status, (await end(kind, id, recipient)).status]).toEqual([404, 404])
      await offer(kind, id)
      await offer(kind, id, { username: 'Oskar' })
      expect([(await accept(kind, id)).status, (await end(kind, id, recipient)).status]).toEqual([404, 404])
      expect((await accept(kind, id, other)).body).toEqual({ owner: 'Oskar', handOver: null })
    })

    const WHO = {
      offer: { owner: 200, editor: 403, viewer: 403, admin: 403, outsider: 403 },
      accept: { recipient: 200, owner: 404, editor: 404, viewer: 404, admin: 404, outsider: 404 },
      end: { owner: 204, recipient: 204, editor: 403, viewer: 403, admin: 403, outsider: 403 },
    } as const
    test.each(['owner', 'recipient', 'editor', 'viewer', 'admin', 'outsider', 'guest', 'ended account'])(
      'what the %s may do with an offer',
      async (who) => {
        const as = people[who]
        const sees = kind === 'variable' || ['owner', 'editor', 'viewer'].includes(who)
        const expected = (call: keyof typeof WHO) => {
          if (who === 'guest' || who === 'ended account') return 401
          const status = (WHO[call] as Record<string, number>)[who] ?? 403
          return status === 403 && !sees ? 404 : status
        }
        const { id } = await makeSeen(kind)
        expect((await offer(kind, id, { as, username: 'Edda' })).status).toBe(expected('offer'))
        await offer(kind, id)
        const shown = await send('GET', pathOf(kind, id), { as })
        const isSigned = expected('end') !== 401
        expect(shown.status).toBe(isSigned ? (sees || who === 'recipient' ? 200 : 404) : 401)
        if (shown.status === 200) {
          const isParty = who === 'owner' || who === 'recipient' || (who === 'admin' && sees)
          expect((shown.body as RecordOwner).handOver !== null).toBe(isParty)
        }
        if (isSigned) expect(await waits(as as TestUser, id)).toBe(who === 'owner' || who === 'recipient')
        expect((await accept(kind, id, as)).status).toBe(expected('accept'))
        if (who === 'recipient') await offer(kind, id, { as, username: 'Olga' })
        expect((await end(kind, id, as)).status).toBe(expected('end'))
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
      const { id } = await make(kind)
      const reply = await offer(kind, id, fields)
      const path = 'keep' in fields ? 'keep' : 'username'
      expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path, message }] }])
      expect((await ownerOf(kind, id, library.owner)).handOver).toBeNull()
    })

    test('An offer ends after 30 days, and counts for nothing while one of the two accounts is disabled.', async () => {
      const { owner } = library
      const recipient = person('recipient')
      const { id } = await make(kind)
      await offer(kind, id)
      await disable(owner)
      expect([(await accept(kind, id)).status, await waits(recipient, id)]).toEqual([404, false])
      await disable(owner, false)
      clock += 30 * DAY_MS - 1000
      expect(await waits(recipient, id)).toBe(true)
      clock += 2000
      expect([(await accept(kind, id)).status, await waits(recipient, id)]).toEqual([404, false])
    })

    test('An offer goes with its record, and with either account.', async () => {
      const { admin } = library
      const count = (id: number) => library.db.$count(handOvers, eq(handOvers[`${kind}Id`], id))
      const [deleted, ofOwner, ofRecipient] = [await make(kind), await make(kind, {}, await library.registerUser()), await make(kind)]
      const url = `/api/${kind}s/${deleted.id}`
      await offer(kind, deleted.id)
      await library.request({ method: 'DELETE', url, as: library.owner })
      expect([await count(deleted.id), (await accept(kind, deleted.id)).status]).toEqual([0, 404])
      const [former] = (await library.db.execute<{ owner_id: number }>(
        sql`select owner_id from ${sql.identifier(`${kind}s`)} where id = ${ofOwner.id}`,
      )).rows
      const gone = await library.registerUser()
      await library.db.insert(handOvers).values([
        { [`${kind}Id`]: ofOwner.id, ownerId: former?.owner_id ?? 0, userId: admin.user.id, keep: 'nothing' },
        { [`${kind}Id`]: ofRecipient.id, ownerId: library.owner.user.id, userId: gone.user.id, keep: 'nothing' },
      ])
      const ids = [former?.owner_id ?? 0, gone.user.id]
      await library.db.execute(sql`delete from users where ${inArray(sql`id`, ids)}`)
      expect([await count(ofOwner.id), await count(ofRecipient.id)]).toEqual([0, 0])
      expect((await accept(kind, ofOwner.id, admin)).status).toBe(404)
      expect((await ownerOf(kind, ofRecipient.id, library.owner)).handOver).toBeNull()
    })

    test('What the new owner keeps counts towards their limits, no longer towards the former owner’s; beyond a limit nothing changes.', async () => {
      const { owner, admin } = library
      const full = await library.registerUser()
      const { id } = await make(kind)
      await offer(kind, id, { username: full.user.username })
      const url = `/api/admin/users/${full.user.id}/quotas`
      await library.request({ method: 'PATCH', url, body: { [`${kind}s`]: 0 }, as: admin })
      const refused = await accept(kind, id, full)
      expect([refused.status, refused.body]).toMatchObject([409, { error: expect.stringContaining('0') }])
      expect(await ownerOf(kind, id, owner)).toMatchObject({ owner: 'Olga', handOver: { to: full.user.username } })

      const usageOf = async ({ user }: TestUser) =>
        (await library.db.execute(sql`select * from usages where user_id = ${user.id}`)).rows[0]
      const [mine, theirs] = [await usageOf(owner), await usageOf(full)]
      await library.request({ method: 'PATCH', url, body: { [`${kind}s`]: 1 }, as: admin })
      expect((await accept(kind, id, full)).status).toBe(200)
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
      const { id } = await make(kind)
      await offer(kind, id)
      const sends = [() => accept(kind, id), () => accept(kind, id)]
      const replies = await Promise.all(sends.map((each) => each()))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404])
    })
  })

  const sharesOf = async (kind: 'prompt' | 'chain', id: number, as = person('recipient')) =>
    (await send('GET', `/api/${kind}s/${id}/shares`, { as })).body as Share[]

  describe.each(RECORD_KINDS)('a shared %s', (kind) => {
    test('The former owner keeps what the offer says: to edit it, or nothing; for everyone else its shares stay.', async () => {
      const { owner } = library
      const [kept, left] = [await makeSeen(kind), await makeSeen(kind)]
      const others = [
        { username: 'Edda', role: 'editor' },
        { username: 'Vera', role: 'viewer' },
      ]
      await offer(kind, kept.id, { keep: 'editor' })
      await offer(kind, left.id)
      for (const { id } of [kept, left]) expect((await accept(kind, id)).status).toBe(200)
      expect(await sharesOf(kind, kept.id)).toEqual([others[0], { username: 'Olga', role: 'editor' }, others[1]])
      expect(await sharesOf(kind, left.id)).toEqual(others)
      expect((await read(kind, kept.id, owner)).body).toMatchObject({ canEdit: true, owner: 'Rita' })
      expect((await read(kind, left.id, owner)).status).toBe(404)
      expect((await offer(kind, kept.id)).status).toBe(403)
    })

    test('An editor who becomes the owner is no longer on the list of those whom it is shared with.', async () => {
      const { id } = await makeSeen(kind)
      await offer(kind, id, { username: 'Edda', keep: 'editor' })
      expect((await ownerOf(kind, id, person('editor'))).handOver).toMatchObject({ canView: true, canAccept: true })
      expect((await accept(kind, id, person('editor'))).status).toBe(200)
      expect(await sharesOf(kind, id, person('editor'))).toEqual([
        { username: 'Olga', role: 'editor' },
        { username: 'Vera', role: 'viewer' },
      ])
    })

    test('It gets another slug where the new owner has its own already; a slug that it had and they have is theirs.', async () => {
      const recipient = person('recipient')
      const name = kind === 'prompt' ? 'title' : 'name'
      const record = await make(kind, { [name]: `Our ${kind} one` })
      const { id } = record
      const edit = kind === 'prompt' ? 'PUT' : 'PATCH'
      const body = kind === 'prompt' ? { title: `Our ${kind} one`, content: 'x', categoryId: library.categoryId } : {}
      await library.request({
        ...{ method: edit, url: `/api/${kind}s/${id}`, as: library.owner },
        body: { ...body, slug: `second-${kind}` },
      })
      await make(kind, { [name]: `Second ${kind}` }, recipient)
      const theirs = await make(kind, { [name]: `Our ${kind} one` }, recipient)
      await offer(kind, id)
      expect((await accept(kind, id)).status).toBe(200)
      const moved = (await read(kind, id, recipient)).body as { slug: string }
      expect(moved.slug).toBe(`our-${kind}-one-${id}`)
      const bySlug = async (slug: string) =>
        ((await send('GET', `/api/${kind}s/by-slug/${slug}`, { as: recipient })).body as { id: number }).id
      expect([await bySlug(moved.slug), await bySlug(`our-${kind}-one`)]).toEqual([id, theirs.id])
    })

    test('Its test suites go with it, and what its former owner imported or made as an example is no longer theirs to take back.', async () => {
      const { owner, db } = library
      const recipient = person('recipient')
      const { id } = await make(kind)
      const url = `/api/${kind}s/${id}/test-suites`
      const suite = await library.request({ method: 'POST', url, body: { name: 'Tone' }, as: owner })
      const suiteId = (suite.body as { id: number }).id
      await library.request({
        ...{ method: 'POST', url: `/api/test-suites/${suiteId}/cases`, as: owner },
        body: { name: 'One' },
      })
      await db.execute(sql`insert into examples (owner_id, ${sql.identifier(`${kind}_id`)}) values (${owner.user.id}, ${id})`)
      await db.execute(sql`insert into examples (owner_id, suite_id) values (${owner.user.id}, ${suiteId})`)
      await offer(kind, id)
      expect((await accept(kind, id)).status).toBe(200)
      const owners = await db.execute(sql`
        select owner_id from test_suites where id = ${suiteId} union all select owner_id from test_cases where suite_id = ${suiteId}`)
      expect(owners.rows).toEqual([{ owner_id: recipient.user.id }, { owner_id: recipient.user.id }])
      await library.request({ method: 'DELETE', url: '/api/examples', as: owner })
      expect((await read(kind, id, recipient)).status).toBe(200)
      expect((await send('GET', `/api/test-suites/${suiteId}`, { as: owner })).status).toBe(404)
    })
  })

  test('A private chain is shared with its former owner alone, where the offer lets them edit it.', async () => {
    const { id } = await makeSeen('chain')
    await library.request({ method: 'PATCH', url: `/api/chains/${id}`, body: { sharedLevel: 'private' }, as: library.owner })
    await offer('chain', id, { keep: 'editor' })
    expect((await accept('chain', id)).status).toBe(200)
    expect(await sharesOf('chain', id)).toEqual([{ username: 'Olga', role: 'editor' }])
    expect((await read('chain', id, library.owner)).body).toMatchObject({ canEdit: true, sharedLevel: 'shared' })
    expect((await read('chain', id, person('viewer'))).status).toBe(404)
  })

  test('A prompt with an alias that is a name of one of theirs can’t be accepted until one of the two is removed.', async () => {
    const recipient = person('recipient')
    const { id } = await make('prompt')
    const theirs = await make('prompt', {}, recipient)
    for (const [each, as] of [
      [id, library.owner],
      [theirs.id, recipient],
    ] as const) {
      const added = await library.request({ method: 'PUT', url: `/api/prompts/${each}/aliases/pmpt_one`, as })
      expect(added.status, added.text).toBeLessThan(300)
    }
    await offer('prompt', id)
    const refused = await accept('prompt', id)
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'name_taken', error: expect.stringContaining('pmpt_one') }])
    expect((await read('prompt', id, library.owner)).body).toMatchObject({ owner: 'Olga' })
    await library.request({ method: 'DELETE', url: `/api/prompts/${theirs.id}/aliases/pmpt_one`, as: recipient })
    expect((await accept('prompt', id)).status).toBe(200)
    const aliases = (await send('GET', `/api/prompts/${id}/aliases`, { as: recipient })).body
    expect(aliases).toMatchObject([{ alias: 'pmpt_one' }])
  })

  test('A repeated call with its key does nothing again.', async () => {
    const { id } = await make('prompt')
    const headers = { 'idempotency-key': 'offer-once' }
    const body = { username: 'Rita', keep: 'nothing' }
    const once = () => library.request({ method: 'POST', url: pathOf('prompt', id), body, headers, as: library.owner })
    expect((await once()).body).toEqual((await once()).body)
    const accepting = () =>
      library.request({
        ...{ method: 'POST', url: `${pathOf('prompt', id)}/accept`, as: person('recipient') },
        headers: { 'idempotency-key': 'accept-once' },
      })
    expect([(await accepting()).status, (await accepting()).status]).toEqual([200, 200])
  })

  test('Offers are listed page by page, newest first.', async () => {
    const as = await library.registerUser()
    const ids: number[] = []
    for (const kind of KINDS) {
      const { id } = await make(kind, {}, as)
      await offer(kind, id, { as })
      ids.unshift(id)
    }
    const first = await send('GET', '/api/hand-overs?limit=2', { as })
    expect(first.headers['x-total-count']).toBe('3')
    const next = await send('GET', `/api/hand-overs?limit=2&cursor=${first.headers['x-next-cursor']}`, { as })
    const listed = [first, next].flatMap(({ body }) => body as HandOver[])
    expect(listed.map(({ id }) => id)).toEqual(ids)
    expect(listed.map(({ kind }) => kind)).toEqual(KINDS.toReversed())
  })
})
