import type { ActivityRow, Group, GroupDetails } from '@catenary/contracts'
import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('groups on %s', (kind) => {
  let library: Library
  let leader: TestUser
  let member: TestUser
  beforeAll(async () => {
    library = await startLibrary(kind)
    leader = await library.registerUser({ username: 'Lea' })
    member = await library.registerUser({ username: 'Max' })
  })
  afterAll(() => library.close())

  const url = '/api/groups'
  const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, as?: TestUser, body?: unknown) =>
    library.request({ method, url: `${url}${path}`, body, as })
  const read = (path: string, as?: TestUser) => library.request({ url: `${url}${path}`, as })
  const namesOf = async (as: TestUser) => ((await read('', as)).body as Group[]).map(({ name }) => name)
  const letEveryone = (madeBy: 'admins' | 'everyone') =>
    library.request({ method: 'PUT', url: '/api/admin/groups', body: { madeBy }, as: library.admin })
  /** Led by Lea, with Max in it. */
  async function make(name: string): Promise<Group> {
    const reply = await send('POST', '', library.admin, { name, leaders: ['lea'], members: ['MAX'] })
    expect(reply.status, reply.text).toBe(201)
    const { id } = reply.body as Group
    return (await send('PUT', `/${id}/members`, library.admin, { usernames: ['Lea', 'Max'] })).body as Group
  }

  test('Everyone with an account is in the group ‘everyone’, which nobody changes; a guest is in none.', async () => {
    const [everyone] = (await read('', member)).body as Group[]
    expect(everyone).toMatchObject({ id: 1, name: 'everyone', isBuiltIn: true, members: [], canEdit: false })
    expect(everyone?.memberCount).toBeGreaterThanOrEqual(5)
    for (const refused of [
      await send('PATCH', '/1', library.admin, { name: 'all' }),
      await send('PUT', '/1/members', library.admin, { usernames: [] }),
      await send('DELETE', '/1', library.admin),
    ])
      expect([refused.status, refused.body]).toEqual([
        403,
        { error: 'Only its leaders and administrators can change this group' },
      ])
    const guests = [
      await read(''),
      await read('/1'),
      await read('/making'),
      await send('POST', '', undefined, {}),
    ]
    expect(guests.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  test('Admins make groups, unless an admin lets everyone; whoever makes one is in it and leads it.', async () => {
    expect((await read('/making', member)).body).toEqual({ madeBy: 'admins', canMake: false })
    const refused = await send('POST', '', member, { name: 'Mine' })
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: 'Only administrators can create groups here' },
    ])
    expect((await library.request({ method: 'PUT', url: '/api/admin/groups', as: member })).status).toBe(403)
    expect((await letEveryone('everyone')).body).toEqual({ madeBy: 'everyone', canMake: true })
    const made = await send('POST', '', member, { name: '  Mine ', members: ['lea'] })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'Mine',
        isBuiltIn: false,
        memberCount: 2,
        members: ['Lea', 'Max'],
        leaders: ['Max'],
        shareCount: 0,
        canEdit: true,
      },
    ])
    await letEveryone('admins')
    // What was made stays with its leader.
    const { id } = made.body as Group
    expect((await send('PATCH', `/${id}`, member, { name: 'Mine still' })).status).toBe(200)
    expect((await send('DELETE', `/${id}`, member)).status).toBe(204)
  })

  test('A group is shown to its members and to admins; to others it is not there, nor its name.', async () => {
    const { id } = await make('Hidden')
    const { other, admin } = library
    expect([await namesOf(member), await namesOf(admin)]).toEqual([
      expect.arrayContaining(['everyone', 'Hidden']),
      expect.arrayContaining(['everyone', 'Hidden']),
    ])
    expect(await namesOf(other)).not.toContain('Hidden')
    const away = { error: 'Group not found' }
    for (const refused of [
      await read(`/${id}`, other),
      await send('PATCH', `/${id}`, other, { name: 'x' }),
      await send('PUT', `/${id}/members`, other, { usernames: ['Oskar'] }),
      await send('DELETE', `/${id}`, other),
    ])
      expect([refused.status, refused.body]).toEqual([404, away])
    expect((await read('/999999', other)).body).toEqual(away)
    await letEveryone('everyone')
    const taken = await send('POST', '', other, { name: 'HIDDEN' })
    expect([taken.status, taken.body]).toEqual([409, { error: 'Group exists' }])
    await letEveryone('admins')
    expect((await send('POST', '', admin, { name: 'hidden' })).body).toMatchObject({ details: { id } })
  })

  test('Its leaders and admins change a group, and who leads it; other members don’t.', async () => {
    const { id } = await make('Led')
    for (const refused of [
      await send('PATCH', `/${id}`, member, { name: 'x' }),
      await send('PATCH', `/${id}`, member, { leaders: ['Max'] }),
      await send('PUT', `/${id}/members`, member, { usernames: ['Max'] }),
      await send('DELETE', `/${id}`, member),
    ])
      expect(refused.status).toBe(403)
    const led = await send('PATCH', `/${id}`, leader, { leaders: ['lea', 'Oskar'] })
    expect(led.body).toMatchObject({ members: ['Lea', 'Max', 'Oskar'], leaders: ['Lea', 'Oskar'] })
    // Who leaves leads no longer, and a group without leaders is led by admins.
    const left = await send('PUT', `/${id}/members`, leader, { usernames: ['Max'] })
    expect(left.body).toMatchObject({ members: ['Max'], leaders: [], canEdit: false })
    expect((await send('PUT', `/${id}/members`, leader, { usernames: ['Lea'] })).status).toBe(404)
    const again = await send('PATCH', `/${id}`, library.admin, { leaders: ['Max'] })
    expect(again.body).toMatchObject({ members: ['Max'], leaders: ['Max'] })
    expect((await send('PATCH', `/${id}`, member, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
    })
  })

  test('What was done to a group is recorded with the ids of its people, and named to its members and admins alone.', async () => {
    const { id } = await make('Recorded')
    const { other, admin } = library
    await send('PUT', `/${id}/members`, leader, { usernames: ['Lea', 'Oskar'] })
    await send('PATCH', `/${id}`, leader, { name: 'Noted', leaders: ['Oskar'] })
    const [lea, max, oskar, root] = [leader, member, other, admin].map(({ user }) => user.id)
    const rows = await library.db
      .select()
      .from(activity)
      .where(and(eq(activity.objectType, 'group'), eq(activity.objectId, id)))
      .orderBy(activity.id)
    expect(rows).toMatchObject([
      { kind: 'group.created', personId: root, after: { leaders: [root, lea], members: [root, lea, max] } },
      { kind: 'group.members_changed', personId: root, after: { added: [], removed: [root] } },
      { kind: 'group.members_changed', personId: lea, after: { added: [oskar], removed: [max] } },
      { kind: 'group.changed', before: { leaders: [lea] }, after: { leaders: [oskar] } },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/Recorded|Noted/)
    const namesFor = async (as: TestUser, url: string) => {
      const { body } = await library.request({ url: `${url}?object=group:${id}`, as })
      return (body as ActivityRow[]).map(({ object }) => object.name)
    }
    expect(await namesFor(admin, '/api/admin/activity')).toEqual(Array(4).fill('Noted'))
    expect(await namesFor(leader, '/api/activity')).toEqual(['Noted', 'Noted'])
    expect(await namesFor(member, '/api/activity')).toEqual([])
    await send('PUT', `/${id}/members`, admin, { usernames: ['Oskar'] })
    expect(await namesFor(leader, '/api/activity')).toEqual([null, null])
  })

  test('A group names what is shared with it and its reader sees, for admins how many more.', async () => {
    const { id } = await make('Readers')
    const prompt = await library.createPrompt(leader, { title: 'Refund' })
    const chain = await library.createChain(leader, { name: 'Parcel', sharedLevel: 'shared' })
    const body = [{ group: 'readers', role: 'viewer' }]
    for (const shares of [`/api/prompts/${prompt.id}/shares`, `/api/chains/${chain.id}/shares`]) {
      const saved = await library.request({ method: 'PUT', url: shares, body, as: leader })
      expect([saved.status, saved.body]).toEqual([200, [{ group: 'Readers', role: 'viewer' }]])
    }
    const shared = await library.db
      .select({ after: activity.after })
      .from(activity)
      .where(inArray(activity.kind, ['prompt.shares_changed', 'chain.shares_changed']))
    const after = { people: [], groups: [{ groupId: id, role: 'viewer' }] }
    expect(shared).toEqual([{ after }, { after }])
    expect((await read(`/${id}`, member)).body).toMatchObject({
      shareCount: 2,
      shares: [
        { kind: 'prompt', id: prompt.id, title: 'Refund', role: 'viewer' },
        { kind: 'chain', id: chain.id, title: 'Parcel', role: 'viewer' },
      ],
      hiddenShares: null,
    })
    const seen = (await read(`/${id}`, library.admin)).body as GroupDetails
    expect([seen.shares, seen.hiddenShares]).toEqual([[], 2])
  })

  test.each([
    { body: { name: ' \t' }, message: 'Name is required' },
    { body: { name: 'x'.repeat(51) }, message: 'Name must be at most 50 characters' },
    { body: { name: 'EVERYONE' }, message: 'Group exists' },
    { body: { name: 'New', members: ['Nobody'] }, message: 'There is no account named Nobody' },
    { body: { name: 'New', leaders: Array(51).fill('Lea') }, message: 'A group has at most 50 leaders' },
    { body: { name: 'New', members: Array(1001).fill('Lea') }, message: 'A group has at most 1,000 members' },
    { body: { name: 'New', role: 'x' }, message: 'Unrecognized key: "role"' },
  ])('refused: $message', async ({ body, message }) => {
    const before = await namesOf(library.admin)
    const reply = await send('POST', '', library.admin, body)
    expect([reply.status === 400 || reply.status === 409, reply.body]).toMatchObject([
      true,
      { error: message },
    ])
    expect(await namesOf(library.admin)).toEqual(before)
  })
})
