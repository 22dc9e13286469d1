import type { Variable } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const TAGS = '/api/variables/tags'

describe.each(routeDatabaseKinds)('variables on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const list = async ({ as, path = '' }: { as?: TestUser; path?: string } = {}) =>
    (await library.request({ url: `/api/variables${path}`, as })).body as Variable[]
  const create = (body: object, as?: TestUser) =>
    library.request({ method: 'POST', url: '/api/variables', body, as })
  const patch = ({ id, as, ...fields }: { id: number; as?: TestUser } & Record<string, unknown>) =>
    library.request({
      method: 'PATCH',
      url: `/api/variables/${id}`,
      body: { name: 'patched', type: 'text', ...fields },
      as,
    })
  const remove = (id: number, as?: TestUser) =>
    library.request({ method: 'DELETE', url: `/api/variables/${id}`, as })

  test('A variable’s reply has every field.', async () => {
    const { owner } = library
    const tag = await library.createTag(owner, 'fields', TAGS)
    // The form sends the fields of the other types empty.
    const empty = { apiUrl: '', apiHeaders: '', googleDriveFileId: null, googleDriveFileName: '' }
    const created = await create(
      { name: ' All_1 ', type: 'text', content: ' Grüße 👋🏽\n', tagIds: [tag.id, tag.id], ...empty },
      owner,
    )
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'All_1',
        type: 'text',
        content: ' Grüße 👋🏽\n',
        attachment: null,
        allowedValues: [],
        apiUrl: '',
        apiHeaders: {},
        googleDriveFileId: '',
        googleDriveFileName: '',
        googleDriveMimeType: '',
        cacheSeconds: 0,
        tags: [tag],
        isPublic: false,
        owner: 'Olga',
        ownerIsAdmin: false,
        revision: 1,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        canEdit: true,
        canDelete: true,
      },
    ])
    expect(await list({ as: owner })).toContainEqual(created.body)
  })

  test('Variables are private or public, as prompts are.', async () => {
    const { owner, other, admin } = library
    await library.createVariable(owner, { name: 'see_closed' })
    await library.createVariable(owner, { name: 'see_open', isPublic: true })
    const seen = async (as?: TestUser) =>
      (await list(as && { as }))
        .filter(({ name }) => name.startsWith('see_'))
        .map(({ name, canEdit, canDelete }) => [name, canEdit, canDelete])
    expect(await seen(owner)).toEqual([
      ['see_closed', true, true],
      ['see_open', true, true],
    ])
    expect(await seen(admin)).toEqual([['see_open', true, true]])
    expect(await seen(other)).toEqual([['see_open', false, false]])
    expect(await seen()).toEqual([['see_open', false, false]])
  })

  test('Who may not change an API variable sees and finds its address without the query, and fetches it all the same (D24).', async () => {
    const { owner, other, admin } = library
    const apiUrl = 'https://example.org/rates?key=s3cret#part'
    const fields = { name: 'see_address', type: 'api', content: '', apiUrl, isPublic: true }
    const { id } = await library.createVariable(owner, fields)
    const addressFor = async (as?: TestUser) => {
      const one = await library.request({ url: `/api/variables/${id}`, as })
      const all = await list(as && { as })
      return [(one.body as Variable).apiUrl, all.find((each) => each.id === id)?.apiUrl]
    }
    expect(await addressFor(owner)).toEqual([apiUrl, apiUrl])
    expect(await addressFor(admin)).toEqual([apiUrl, apiUrl])
    const shown = 'https://example.org/rates'
    expect(await addressFor(other)).toEqual([shown, shown])
    expect(await addressFor()).toEqual(Array(2).fill('https://example.org/rates'))
    const found = async (search: string, as?: TestUser) => {
      const url = `/api/variables?search=${encodeURIComponent(search)}`
      return ((await library.request({ url, as })).body as Variable[]).map((each) => each.id)
    }
    expect(await found('s3cret', owner)).toEqual([id])
    expect(await found('s3cret', other)).toEqual([])
    expect(await found('s3cret')).toEqual([])
    expect(await found('#part')).toEqual([])
    expect(await found('org/rates')).toEqual([id])
  })

  test('GET, POST, PATCH and DELETE /api/variables read and change variables; by-tags filters them.', async () => {
    const { owner, other } = library
    const one = await library.createTag(owner, 'by one', TAGS)
    const two = await library.createTag(owner, 'by two', TAGS)
    await library.createVariable(owner, { name: 'by_a', tagIds: [one.id], isPublic: true })
    await library.createVariable(owner, { name: 'by_b', tagIds: [one.id, two.id] })
    const names = async (query: string, as?: TestUser) =>
      (await list({ ...(as && { as }), path: `/by-tags${query}` })).map(({ name }) => name)
    expect(await names(`?tagIds=${one.id}`, owner)).toEqual(['by_a', 'by_b'])
    expect(await names(`?tagIds=${one.id}&tagIds=${two.id}`, owner)).toEqual(['by_a', 'by_b'])
    expect(await names(`?tagIds=${two.id}`, owner)).toEqual(['by_b'])
    expect(await names(`?tagIds=${one.id}`, other)).toEqual(['by_a'])
    expect(await names(`?tagIds=${one.id}`)).toEqual(['by_a'])
    expect(await names('', owner)).toEqual((await list({ as: owner })).map(({ name }) => name))
    expect((await library.request({ url: '/api/variables/by-tags?tagIds=1&tagIds=x' })).status).toBe(400)
  })

  test('writes ask a guest to log in, are forbidden to a viewer, and hide what is not seen', async () => {
    const { owner, other, admin } = library
    const open = await library.createVariable(owner, { name: 'w_open', isPublic: true })
    const closed = await library.createVariable(owner, { name: 'w_closed' })
    const statuses = async (id: number, as?: TestUser) => [
      (await patch({ id, ...(as && { as }) })).status,
      (await remove(id, as)).status,
    ]
    expect((await create({ name: 'w_guest', type: 'text' })).status).toBe(401)
    expect(await statuses(open.id)).toEqual([401, 401])
    expect(await statuses(2147483647)).toEqual([401, 401])
    expect(await statuses(open.id, other)).toEqual([403, 403])
    expect(await statuses(closed.id, other)).toEqual([404, 404])
    expect(await statuses(closed.id, admin)).toEqual([404, 404])
    expect(await statuses(2147483647, owner)).toEqual([404, 404])
    expect(await list({ as: owner })).toEqual(expect.arrayContaining([open, closed]))
    expect(await statuses(open.id, admin)).toEqual([200, 204])
    expect(await statuses(closed.id, owner)).toEqual([200, 204])
  })

  test('a save keeps what it leaves out; a stale revision gets the current variable', async () => {
    const { owner } = library
    const tag = await library.createTag(owner, 'kept', TAGS)
    const before = await library.createVariable(owner, { name: 'rev', tagIds: [tag.id], isPublic: true })
    const { id } = before
    const saved = await patch({ id, as: owner, name: 'Rev', revision: 1 })
    expect(saved.body).toEqual({ ...before, name: 'Rev', revision: 2, updatedAt: expect.any(String) })
    const stale = await patch({ id, as: owner, name: 'rev3', revision: 1 })
    expect([stale.status, stale.body]).toEqual([
      409,
      { error: 'This variable was changed since you opened it', details: saved.body },
    ])
    const emptied = await patch({ id, as: owner, name: 'rev', content: null, tagIds: [], isPublic: false })
    expect(emptied.body).toMatchObject({ content: '', tags: [], isPublic: false, revision: 3 })
  })

  test('The type decides which fields are kept.', async () => {
    const { owner } = library
    const empty = {
      ...{ content: '', apiUrl: '', apiHeaders: {}, cacheSeconds: 0 },
      ...{ googleDriveFileId: '', googleDriveFileName: '', googleDriveMimeType: '' },
    }
    const all = {
      ...{ content: 'text', apiUrl: 'https://example.org/a', apiHeaders: { a: 'b' }, cacheSeconds: 60 },
      ...{ googleDriveFileId: 'id', googleDriveFileName: 'Plan', googleDriveMimeType: 'text/plain' },
    }
    const { content, apiUrl, apiHeaders, cacheSeconds, ...drive } = all
    const kept = {
      text: { content },
      api: { apiUrl, apiHeaders, cacheSeconds },
      googleDrive: { ...drive, cacheSeconds },
    }
    const { id } = await library.createVariable(owner, { name: 'types' })
    for (const [type, fields] of Object.entries(kept)) {
      const created = await create({ name: `type_${type}`, ...all, type }, owner)
      expect([created.status, created.body]).toMatchObject([201, { type, ...empty, ...fields }])
      const saved = await patch({ id, as: owner, ...all, type })
      expect([saved.status, saved.body]).toMatchObject([200, { type, ...empty, ...fields }])
    }
  })

  test("an admin may not turn another person's Drive variable to another of that person's files", async () => {
    const { owner, admin } = library
    const drive = { type: 'googleDrive', googleDriveFileId: 'one', isPublic: true }
    const { id } = await library.createVariable(owner, { name: 'drive', content: '', ...drive })
    const text = await library.createVariable(owner, { name: 'no_drive', isPublic: true })
    const refused = [403, { error: 'Only the variable’s owner may choose another Google Drive file' }]
    for (const change of [
      { id, googleDriveFileId: 'two' },
      { id: text.id, googleDriveFileId: 'one' },
    ]) {
      const reply = await patch({ as: admin, ...drive, ...change })
      expect([reply.status, reply.body]).toEqual(refused)
    }
    expect((await patch({ id, as: admin, ...drive, name: 'drive_2' })).status).toBe(200)
    expect((await patch({ id, as: owner, ...drive, googleDriveFileId: 'two', name: 'drive_3' })).status).toBe(
      200,
    )
  })

  test('of parallel saves of one revision exactly one wins', async () => {
    const { owner } = library
    const { id } = await library.createVariable(owner, { name: 'parallel' })
    const saves = Array.from({ length: 8 }, (_, n) =>
      patch({ id, as: owner, name: 'parallel', content: `${n}`, revision: 1 }),
    )
    const statuses = (await Promise.all(saves)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(7).fill(409)])
  })

  test("names are one owner's only once, in whatever case; other owners may have them", async () => {
    const { owner, other } = library
    await library.createVariable(owner, { name: 'Unique' })
    const second = await library.createVariable(owner, { name: 'second' })
    const taken = [409, { error: 'There is already a variable named uNIQUE' }]
    const again = await create({ name: 'uNIQUE', type: 'text' }, owner)
    expect([again.status, again.body]).toEqual(taken)
    const renamed = await patch({ id: second.id, as: owner, name: 'uNIQUE' })
    expect([renamed.status, renamed.body]).toEqual(taken)
    expect((await create({ name: 'UNIQUE', type: 'text' }, other)).status).toBe(201)
    const race = Array.from({ length: 6 }, (_, n) =>
      create({ name: n % 2 ? 'race' : 'RACE', type: 'text' }, owner),
    )
    const statuses = (await Promise.all(race)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(5).fill(409)])
  })

  test.each([
    { fields: { name: ' ' }, path: 'name', message: 'Name is required' },
    { fields: { name: 'x'.repeat(51) }, path: 'name', message: 'Name must be less than 50 characters' },
    {
      fields: { name: 'two words' },
      path: 'name',
      message: 'Name may contain letters, digits and underscores only, no spaces',
    },
    {
      fields: { type: 'number' },
      path: 'type',
      message: 'Variable type must be text, file, api, or googleDrive',
    },
    { fields: { type: 'api' }, path: 'apiUrl', message: "Must be a valid URL when type is 'api'" },
    {
      fields: { type: 'googleDrive' },
      path: 'googleDriveFileId',
      message: "Google Drive File ID is required when type is 'googleDrive'",
    },
    {
      fields: { type: 'api', apiUrl: 'ftp://example.org/x' },
      path: 'apiUrl',
      message: "Must be a valid URL when type is 'api'",
    },
    {
      fields: { type: 'api', apiUrl: 'https://me:secret@example.org/x' },
      path: 'apiUrl',
      message: 'Put the password in a header; everyone who sees the variable sees its address',
    },
    {
      fields: { type: 'file', content: '../../etc/passwd' },
      path: 'content',
      message: 'This file is not among your uploads. Upload it, then save the variable.',
    },
    {
      fields: { cacheSeconds: 86_401 },
      path: 'cacheSeconds',
      message: 'Too big: expected number to be <=86400',
    },
    {
      fields: { tagIds: [2147483647] },
      path: 'tagIds',
      message: 'There is no variable tag with the id 2147483647',
    },
    { fields: { ownerId: 1 }, path: '', message: 'Unrecognized key: "ownerId"' },
    { fields: { id: 1 }, path: '', message: 'Unrecognized key: "id"' },
  ])('A variable’s name has at most 50 characters. ($message)', async ({ fields, path, message }) => {
    const { owner } = library
    const before = await list({ as: owner })
    const body = { name: 'refused', type: 'text', ...fields }
    const expected = [400, { error: message, details: [{ path, message }] }]
    const created = await create(body, owner)
    expect([created.status, created.body]).toEqual(expected)
    const { id = 0 } = before[0] ?? {}
    const url = `/api/variables/${id}`
    const saved = await library.request({ method: 'PATCH', url, body, as: owner })
    expect([saved.status, saved.body]).toEqual(expected)
    expect(await list({ as: owner })).toEqual(before)
  })
})
