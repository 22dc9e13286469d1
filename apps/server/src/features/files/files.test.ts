import type { Variable } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { deleteUnused } from './files.ts'

const MIB = 1024 * 1024
const NO_FILE = 'This file is not among your uploads. Upload it, then save the variable.'

describe.each(routeDatabaseKinds)('files on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const send = (body: object, as?: TestUser) =>
    library.request({ method: 'POST', url: '/api/upload', body, as })
  const upload = async (as: TestUser, content = 'text', fileName = 'notes.txt') => {
    const reply = await send({ fileName, content }, as)
    if (reply.status !== 201) throw new Error(reply.text)
    return (reply.body as { filePath: string }).filePath
  }
  const content = async (id: number, as?: TestUser) =>
    (await library.request({ url: `/api/variables/${id}/content`, as })).body
  const patch = (variable: Variable, fields: object, as: TestUser) => {
    const { id, name, type } = variable
    const body = { name, type, ...fields }
    return library.request({ method: 'PATCH', url: `/api/variables/${id}`, body, as })
  }

  test('an upload gives the key that a variable of its owner is saved with', async () => {
    const { owner } = library
    const key = await upload(owner, ' Grüße 👋🏽\n', 'Grüße.md')
    expect(key).toMatch(/^uploads\/\d{13}_Grüße\.md$/)
    const variable = await library.createVariable(owner, { name: 'file_1', type: 'file', content: key })
    expect(variable).toMatchObject({ type: 'file', content: key })
    expect(await content(variable.id, owner)).toEqual({ content: ' Grüße 👋🏽\n' })
    const preview = await library.request({ url: `/api/variables/${variable.id}/preview`, as: owner })
    expect(preview.body).toEqual({ preview: ' Grüße 👋🏽\n' })
  })

  test('uploads of one name and moment have keys of their own', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => upload(library.owner)))
    expect(new Set(keys).size).toBe(8)
  })

  test.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\boot.js', 'boot.js'],
    ['/.html', '.html'],
    ['..secret..txt', 'secret.txt'],
    ['a b\tc\u202e\u0007.md', 'a_b_c_.md'],
    ['a<script>.html', 'a_script_.html'],
    ['cafe\u0301.TXT', 'café.TXT'],
    [`${'x'.repeat(900)}.json`, `${'x'.repeat(95)}.json`],
  ])('the name %j is kept as %j', async (fileName, kept) => {
    const key = await upload(library.owner, 'x', fileName)
    expect(key.replace(/^uploads\/\d+_/, '')).toBe(kept)
  })

  test.each([
    ...['', ' ', 'notes', 'notes.exe', 'notes.txt.png', 'txt', 'a.txt/', `${'x'.repeat(1000)}.txt`],
  ])('the name %j is refused', async (fileName) => {
    const reply = await send({ fileName, content: 'x' }, library.owner)
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { details: expect.arrayContaining([expect.objectContaining({ path: 'fileName' })]) },
    ])
  })

  test.each([
    [{ fileName: 'a.txt', content: 'a\0b' }, 'Text must not contain NUL bytes'],
    [{ fileName: 'a.txt', content: '\ud800' }, 'Text must be valid Unicode'],
    [{ fileName: 'a.txt' }, 'Required'],
    [{ fileName: 'a.txt', content: 1 }, 'Expected string, received number'],
    [{ fileName: 'a.txt', content: 'x', ownerId: 1 }, 'Unrecognized key: "ownerId"'],
    [{ fileName: 'a.txt', content: 'x', key: 'uploads/1_a' }, 'Unrecognized key: "key"'],
  ])('%j is refused', async (body, error) => {
    const reply = await send(body, library.owner)
    expect([reply.status, reply.body]).toMatchObject([400, { error }])
  })

  test('POST /api/upload takes text files by their extension, up to 1 MiB of UTF-8, as `uploads/{timestamp}_{name}` (D25).', async () => {
    const { owner } = library
    const tooLarge = [413, { error: 'The file is larger than 1 MiB' }]
    for (const character of ['x', '\n', 'é', '👋']) {
      const whole = character.repeat(MIB / Buffer.byteLength(character))
      await upload(owner, whole)
      const reply = await send({ fileName: 'a.txt', content: `${whole}.` }, owner)
      expect([reply.status, reply.body]).toEqual(tooLarge)
    }
    const endless = await send({ fileName: 'a.txt', content: 'x'.repeat(5 * MIB) }, owner)
    expect([endless.status, endless.body]).toEqual(tooLarge)
    expect((await send({ fileName: 'a.txt', content: 'x' })).status).toBe(401)
  })

  test('A file variable names an upload of its owner, never a path (D25).', async () => {
    const { owner, other, admin } = library
    const theirs = await upload(other)
    const mine = await upload(owner)
    const refused = [400, { error: NO_FILE, details: [{ path: 'content', message: NO_FILE }] }]
    const keys = [
      theirs,
      '../../etc/passwd',
      '/etc/passwd',
      `./${mine}`,
      mine.toUpperCase(),
      `${mine}\n`,
      'x',
    ]
    const variable = await library.createVariable(owner, {
      ...{ name: 'keys', type: 'file', content: mine, isPublic: true },
    })
    for (const key of keys) {
      const body = { name: 'refused_key', type: 'file', content: key }
      const created = await library.request({ method: 'POST', url: '/api/variables', body, as: owner })
      expect([created.status, created.body]).toEqual(refused)
      const saved = await patch(variable, { content: key }, owner)
      expect([saved.status, saved.body]).toEqual(refused)
    }
    // An admin may change the variable, but neither open the owner's other files nor put own ones into it.
    const another = await upload(owner)
    for (const key of [another, await upload(admin)]) {
      const saved = await patch(variable, { content: key }, admin)
      expect([saved.status, saved.body]).toEqual(refused)
    }
    const turned = await library.createVariable(owner, {
      name: 'keys_text',
      isPublic: true,
      content: another,
    })
    const byAdmin = await patch({ ...turned, type: 'file' }, { content: another }, admin)
    expect([byAdmin.status, byAdmin.body]).toEqual(refused)
    expect((await patch(variable, { content: mine, isPublic: false }, admin)).status).toBe(200)
  })

  test('a public file is for everyone, a private one for its owner', async () => {
    const { owner, other, admin } = library
    const key = await upload(owner, 'inside')
    const open = await library.createVariable(owner, {
      ...{ name: 'file_open', type: 'file', content: key, isPublic: true },
    })
    const closed = await library.createVariable(owner, { name: 'file_closed', type: 'file', content: key })
    for (const as of [owner, other, admin, undefined]) {
      expect(await content(open.id, as)).toEqual({ content: 'inside' })
      const missing = { error: `Variable ${closed.id} not defined in system` }
      expect(await content(closed.id, as)).toEqual(as === owner ? { content: 'inside' } : missing)
    }
  })

  test("another person's file of the same key is not what the variable means", async () => {
    const { owner, other } = library
    const key = await upload(owner, 'of the owner')
    await library.db.insert(files).values({ ownerId: other.user.id, key, content: 'of the other' })
    const variable = await library.createVariable(owner, { name: 'same_key', type: 'file', content: key })
    await library.db.execute(sql`delete from files where owner_id = ${owner.user.id} and key = ${key}`)
    expect(await content(variable.id, owner)).toEqual({
      error: 'The file is no longer there. Upload it again.',
    })
  })

  test('a change of type leaves no text behind that could pass for a key', async () => {
    const { owner } = library
    const key = await upload(owner)
    const variable = await library.createVariable(owner, { name: 'typed_key', content: key })
    const saved = await patch({ ...variable, type: 'file' }, {}, owner)
    expect([saved.status, saved.body]).toMatchObject([200, { type: 'file', content: '' }])
  })

  test('cleanup deletes the files that no variable has used for a day', async () => {
    const { owner, other, db } = library
    const used = await upload(owner, 'used')
    const unused = await upload(owner, 'unused')
    const foreign = await upload(other, 'used by nobody of its own')
    await library.createVariable(owner, { name: 'uses', type: 'file', content: used })
    await library.createVariable(owner, { name: 'names', type: 'text', content: foreign })
    const keys = async () => (await db.select({ key: files.key }).from(files)).map(({ key }) => key)
    const after = (hours: number) =>
      deleteUnused({ ...library.ctx, now: () => new Date(Date.now() + hours * 3_600_000) })
    expect(await after(23.9)).toBe(0)
    expect(await keys()).toEqual(expect.arrayContaining([used, unused, foreign]))
    expect(await after(24.1)).toBeGreaterThan(0)
    expect(await keys()).toContain(used)
    expect(await keys()).not.toContain(unused)
    expect(await keys()).not.toContain(foreign)
  })
})
