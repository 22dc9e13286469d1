import type { Chain, ChainListItem, Group, ListedPrompt, Prompt, Share } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

type Verdict = 'ok' | 'log in' | 'hidden' | 'forbidden'
type Right = 'see' | 'copy' | 'edit' | 'share'

const STATUS = { 'log in': 401, hidden: 404, forbidden: 403 } as const
const ALL: readonly Right[] = ['see', 'copy', 'edit', 'share']

const NOBODYS: Verdict[] = ['hidden', 'hidden', 'hidden', 'hidden']
const GUESTS: Verdict[] = ['hidden', 'log in', 'log in', 'log in']
const VIEWERS: Verdict[] = ['ok', 'ok', 'forbidden', 'forbidden']
const EDITORS: Verdict[] = ['ok', 'ok', 'ok', 'forbidden']
const OWNERS: Verdict[] = ['ok', 'ok', 'ok', 'ok']

/** Who may do what with a prompt or chain of Olga’s that is shared with a group alone. */
const MATRIX: Record<'viewer' | 'editor', Record<string, Verdict[]>> = {
  viewer: {
    guest: GUESTS,
    'ended account': GUESTS,
    outsider: NOBODYS,
    member: VIEWERS,
    leader: VIEWERS,
    admin: NOBODYS,
    'admin in it': EDITORS,
    owner: OWNERS,
  },
  editor: {
    guest: GUESTS,
    'ended account': GUESTS,
    outsider: NOBODYS,
    member: EDITORS,
    leader: EDITORS,
    admin: NOBODYS,
    'admin in it': EDITORS,
    owner: OWNERS,
  },
}

describe.each(routeDatabaseKinds)('who may do what by a group, on %s', (database) => {
  let library: Library
  let people: Record<string, TestUser | undefined>
  let group: Group
  beforeAll(async () => {
    library = await startLibrary(database)
    const { owner, other, admin } = library
    const leader = await library.registerUser({ username: 'Lea' })
    const member = await library.registerUser({ username: 'Max' })
    const ended = await library.registerUser({ username: 'Dora' })
    const adminInIt = await library.registerUser({ username: 'Ada', role: 'admin' })
    const made = await library.request({
      ...{ method: 'POST', url: '/api/groups', as: adminInIt },
      body: { name: 'Support', leaders: ['Lea'], members: ['Max', 'Dora', 'Olga'] },
    })
    group = made.body as Group
    await library.request({
      ...{ method: 'PATCH', url: `/api/admin/users/${ended.user.id}`, as: admin },
      body: { disabled: true },
    })
    people = {
      ...{ guest: undefined, 'ended account': ended, outsider: other, member, leader },
      ...{ admin, 'admin in it': adminInIt, owner },
    }
  })
  afterAll(() => library.close())

  const setMembers = (usernames: string[]) =>
    library.request({
      ...{ method: 'PUT', url: `/api/groups/${group.id}/members`, as: people['admin in it'] },
      body: { usernames },
    })

  describe.each(['prompt', 'chain'] as const)('a %s', (kind) => {
    async function make(shares: Share[]): Promise<number> {
      const { owner } = library
      const { id }: Prompt | Chain =
        kind === 'prompt'
          ? await library.createPrompt(owner)
          : await library.createChain(owner, { sharedLevel: 'shared' })
      const saved = await library.request({ ...sharesOf(id), method: 'PUT', body: shares, as: owner })
      expect(saved.status, saved.text).toBe(200)
      return id
    }
    const sharesOf = (id: number) => ({ url: `/api/${kind}s/${id}/shares` })
    const read = (id: number, as: TestUser | undefined) => library.request({ url: `/api/${kind}s/${id}`, as })
    const listed = async (as: TestUser | undefined, query = '') =>
      (
        (await library.request({ url: `/api/${kind}s${query}`, as })).body as (ListedPrompt | ChainListItem)[]
      ).map(({ id }) => id)

    const callOf = (right: Right, id: number) => {
      const url = `/api/${kind}s/${id}`
      const calls = {
        see: { method: 'GET', url, body: undefined },
        copy: { method: 'POST', url: `${url}/duplicate`, body: undefined },
        edit:
          kind === 'prompt'
            ? ({ method: 'PUT', url, body: { ...promptBody(library), title: 'Changed' } } as const)
            : ({ method: 'PATCH', url, body: { name: 'Changed' } } as const),
        share: { method: 'PUT', url: `${url}/shares`, body: [] },
      } as const
      return calls[right]
    }

    describe.each(['viewer', 'editor'] as const)('that is shared with a group as %s', (role) => {
      test.each(Object.keys(MATRIX.viewer))('%s', async (who) => {
        const as = people[who]
        for (const [index, right] of ALL.entries()) {
          const id = await make([{ group: 'Support', role }])
          const reply = await library.request({ ...callOf(right, id), as })
          const verdict = MATRIX[role][who]?.[index] ?? 'hidden'
          const said = `${right} by ${who}: ${reply.text}`
          if (verdict === 'ok') expect(reply.status, said).toBeLessThan(300)
          else expect(reply.status, said).toBe(STATUS[verdict])
        }
      })
    })

    test('Of several roles the highest counts, and each is taken back alone.', async () => {
      const { owner } = library
      const { member } = people
      const id = await make([
        { username: 'Max', role: 'viewer' },
        { group: 'Support', role: 'editor' },
      ])
      expect((await read(id, member)).body).toMatchObject({ canEdit: true })
      const save = (shares: Share[]) =>
        library.request({ ...sharesOf(id), method: 'PUT', body: shares, as: owner })
      await save([
        { username: 'Max', role: 'editor' },
        { group: 'Support', role: 'viewer' },
      ])
      expect((await read(id, member)).body).toMatchObject({ canEdit: true })
      await save([{ group: 'Support', role: 'viewer' }])
      expect((await read(id, member)).body).toMatchObject({ canEdit: false })
      await save([{ username: 'Max', role: 'viewer' }])
      expect([(await read(id, member)).status, (await read(id, people.leader)).status]).toEqual([200, 404])
    })

    test('What is shared with everyone is seen by all accounts, and by no guest.', async () => {
      const id = await make([{ group: 'everyone', role: 'viewer' }])
      const statuses = await Promise.all(
        ['outsider', 'member', 'admin', 'guest', 'ended account'].map(
          async (who) => (await read(id, people[who])).status,
        ),
      )
      expect(statuses).toEqual([200, 200, 200, 404, 404])
      expect(await listed(people.outsider, '?ownership=shared')).toContain(id)
      expect(await listed(undefined)).not.toContain(id)
      // An owner is in ‘everyone’ too: their own record is there once, and is not shared with them.
      expect((await listed(library.owner)).filter((one) => one === id)).toEqual([id])
      expect(await listed(library.owner, '?ownership=shared')).not.toContain(id)
    })

    test('Whoever leaves a group loses at once what was shared with it alone; being added again brings it back.', async () => {
      const { member, leader } = people
      const id = await make([{ group: 'Support', role: 'viewer' }])
      expect([(await read(id, member)).status, await listed(member)]).toEqual([
        200,
        expect.arrayContaining([id]),
      ])
      await setMembers(['Ada', 'Lea', 'Dora', 'Olga'])
      expect([(await read(id, member)).status, (await listed(member)).includes(id)]).toEqual([404, false])
      expect((await read(id, leader)).status).toBe(200)
      await setMembers(['Ada', 'Lea', 'Max', 'Dora', 'Olga'])
      expect((await read(id, member)).status).toBe(200)
    })

    test('What a person accepted through a group alone is accepted no longer once they leave it.', async () => {
      const { member } = people
      const id = await make([{ group: 'Support', role: 'viewer' }])
      if (kind === 'chain') await library.createStep(library.owner, id)
      const accept = {
        method: 'POST',
        url: `/api/${kind}-acceptances`,
        body: { [`${kind}Ids`]: [id] },
      } as const
      expect((await library.request({ ...accept, as: member })).status).toBe(204)
      const acceptedAt = async () => {
        const { body } = await library.request({ url: `/api/${kind}-offers`, as: member })
        const offers = body as { promptId?: number; chainId?: number; acceptedAt: string | null }[]
        return offers.find((offer) => (offer.promptId ?? offer.chainId) === id)?.acceptedAt
      }
      expect(await acceptedAt()).toEqual(expect.any(String))
      await setMembers(['Ada', 'Lea', 'Dora', 'Olga'])
      expect(await acceptedAt()).toBeUndefined()
      await setMembers(['Ada', 'Lea', 'Max', 'Dora', 'Olga'])
      expect(await acceptedAt()).toBeNull()
    })

    test('A change of one’s groups is another list: nobody gets what they had.', async () => {
      const { member } = people
      await make([{ group: 'Support', role: 'viewer' }])
      const list = { url: `/api/${kind}s`, as: member }
      const { etag } = (await library.request(list)).headers
      const again = () => library.request({ ...list, headers: { 'if-none-match': String(etag) } })
      expect((await again()).status).toBe(304)
      await setMembers(['Ada', 'Lea', 'Dora', 'Olga'])
      expect((await again()).status).toBe(200)
      await setMembers(['Ada', 'Lea', 'Max', 'Dora', 'Olga'])
    })

    test('One shares with groups that one is in, admins with any; of others it is said that there are none.', async () => {
      const { owner, admin, other } = library
      const id = await make([])
      const save = (body: unknown, as: TestUser, of = id) =>
        library.request({ ...sharesOf(of), method: 'PUT', body, as })
      const record =
        kind === 'prompt'
          ? await library.createPrompt(other)
          : await library.createChain(other, { sharedLevel: 'shared' })
      const unseen = await save([{ group: 'Support', role: 'viewer' }], other, record.id)
      const none = await save([{ group: 'Nowhere', role: 'viewer' }], other, record.id)
      expect([unseen.status, unseen.body]).toMatchObject([400, { error: 'There is no group named Support' }])
      expect([none.status, none.body]).toMatchObject([400, { error: 'There is no group named Nowhere' }])
      const ofAdmin =
        kind === 'prompt'
          ? await library.createPrompt(admin)
          : await library.createChain(admin, { sharedLevel: 'shared' })
      expect((await save([{ group: 'SUPPORT', role: 'viewer' }], admin, ofAdmin.id)).status).toBe(200)
      // Who left a group may keep it in a list that names it already.
      await save([{ group: 'Support', role: 'viewer' }], owner)
      await setMembers(['Ada', 'Lea', 'Max', 'Dora'])
      expect((await save([{ group: 'Support', role: 'editor' }], owner)).body).toEqual([
        { group: 'Support', role: 'editor' },
      ])
      expect((await save([], owner)).status).toBe(200)
      expect((await save([{ group: 'Support', role: 'viewer' }], owner)).status).toBe(400)
      await setMembers(['Ada', 'Lea', 'Max', 'Dora', 'Olga'])
    })

    test.each([
      { body: [{ group: 'Support', username: 'Max', role: 'viewer' }], message: 'Name a person or a group' },
      { body: [{ role: 'viewer' }], message: 'Name a person or a group' },
      {
        body: [
          { group: 'Support', role: 'viewer' },
          { group: ' SUPPORT ', role: 'editor' },
        ],
        message: 'List each group once',
      },
    ])('refused: $message', async ({ body, message }) => {
      const id = await make([])
      const reply = await library.request({ ...sharesOf(id), method: 'PUT', body, as: library.owner })
      expect([reply.status, reply.body]).toMatchObject([400, { error: message }])
    })
  })

  test('The end of a group ends what it opened.', async () => {
    const { owner, admin } = library
    const { member } = people
    const made = await library.request({
      ...{ method: 'POST', url: '/api/groups', as: admin },
      body: { name: 'Brief', members: ['Max', 'Olga'] },
    })
    const { id } = await library.createPrompt(owner)
    const shares = { url: `/api/prompts/${id}/shares`, as: owner }
    await library.request({ ...shares, method: 'PUT', body: [{ group: 'Brief', role: 'viewer' }] })
    const read = async () => (await library.request({ url: `/api/prompts/${id}`, as: member })).status
    expect(await read()).toBe(200)
    const { id: groupId } = made.body as Group
    expect(
      (await library.request({ method: 'DELETE', url: `/api/groups/${groupId}`, as: admin })).status,
    ).toBe(204)
    expect([await read(), (await library.request(shares)).body]).toEqual([404, []])
  })
})
