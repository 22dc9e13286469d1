import type { PersonQuota, StoredFile, Variable } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileBytes, files } from '../../database/schema/index.ts'
import { databaseKinds } from '../../testing/database.ts'
import { mediaOf } from '../../testing/media.ts'
import { makeJpeg, makePdf, makePng, TELLTALES } from '../../testing/pictures.ts'
import { startLibraryWithApi } from '../../testing/variables.ts'
import { deleteUnused } from './files.ts'

describe.each(databaseKinds)('images and PDFs on %s', (kind) => {
  let library: Awaited<ReturnType<typeof startLibraryWithApi>>
  let media: ReturnType<typeof mediaOf>
  beforeAll(async () => {
    library = await startLibraryWithApi(kind, {
      listener: ({ url = '' }, response) => {
        // What a server says of its type counts for nothing.
        const body = { '/shot.png': makePng({ tells: true }), '/page': Buffer.from('<p>Hello') }[url]
        if (body === undefined) response.writeHead(404).end()
        else response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      },
    })
    media = mediaOf(library)
  })
  afterAll(() => library.close())

  const errorOf = ({ body }: { body: unknown }) => (body as { error: string }).error

  test('an upload gives what is known of it and the key that a variable is saved with', async () => {
    const { owner } = library
    const stored = await media.store(makePng({ width: 40, height: 30, tells: true }), '../Login 500.PNG')
    expect(stored).toEqual({
      fileId: expect.any(Number),
      filePath: expect.stringMatching(/^uploads\/\d{13}_Login_500\.PNG$/),
      fileName: 'Login_500.PNG',
      mediaType: 'image/png',
      width: 40,
      height: 30,
      bytes: makePng({ width: 40, height: 30 }).length,
    })
    const variable = await media.hold('screenshot', makePng({ width: 40, height: 30 }))
    const { filePath: _, ...facts } = await media.store(makePng({ width: 40, height: 30 }))
    expect(variable).toMatchObject({ type: 'image', attachment: facts })
    const listed = await library.request({ url: '/api/variables?search=screenshot', as: owner })
    expect((listed.body as Variable[])[0]?.attachment).toEqual(facts)
    const content = await library.request({ url: `/api/variables/${variable.id}/content`, as: owner })
    expect(content.body).toEqual({ content: '[image: login-500.png]' })
  })

  test('The bytes of an image or PDF go to its owner, to who sees its variable and to who sees the texts of a run with it, as no page.', async () => {
    const { owner, other } = library
    const pixels = makePng({ width: 7, height: 7 })
    const { fileId } = await media.store(makePng({ width: 7, height: 7, tells: true }), 'seven.png')
    const own = await media.download(`/api/files/${fileId}`, owner)
    expect([own.status, own.bytes.equals(pixels)]).toEqual([200, true])
    expect(own.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': "inline; filename*=UTF-8''seven.png",
      'cache-control': 'private, max-age=3600',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const word of TELLTALES) expect(own.bytes.toString('latin1')).not.toContain(word)
    expect((await media.download(`/api/files/${fileId}`, other)).status).toBe(404)
    expect((await media.download(`/api/files/${fileId}`)).status).toBe(401)

    const secret = await media.hold('shot_private', pixels)
    const shared = await media.hold('shot_public', pixels, { isPublic: true })
    const statusOf = async ({ id }: Variable, as?: typeof other) =>
      (await media.download(`/api/variables/${id}/file`, as)).status
    expect([await statusOf(secret, owner), await statusOf(secret, other)]).toEqual([200, 404])
    expect([await statusOf(shared, other), await statusOf(shared)]).toEqual([200, 200])
    const empty = await media.hold('shot_none', null, { isPublic: true })
    expect(await statusOf(empty, owner)).toBe(404)

    const pdf = await media.store(makePdf(), 'terms.pdf')
    const { headers } = await media.download(`/api/files/${pdf.fileId}`, owner)
    expect(headers['content-disposition']).toBe("attachment; filename*=UTF-8''terms.pdf")
  })

  test('another person’s key, a text’s and one of the other kind are no image', async () => {
    const { owner, other } = library
    const { filePath } = await media.store(makePng())
    const pdf = await media.store(makePdf(), 'terms.pdf')
    const text = await library.request({
      method: 'POST',
      url: '/api/upload',
      body: { fileName: 'a.txt', content: 'text' },
      as: owner,
    })
    const save = async (fields: object, as = owner) => {
      const body = { name: 'not_one', type: 'image', ...fields }
      return errorOf(await library.request({ method: 'POST', url: '/api/variables', body, as }))
    }
    expect(await save({ content: filePath }, other)).toMatch(/^This file is not among your uploads/)
    expect(await save({ content: (text.body as StoredFile).filePath })).toBe(
      'This file is a text, not an image.',
    )
    expect(await save({ content: pdf.filePath })).toBe('This file is a PDF, not an image.')
    expect(await save({ content: filePath, type: 'document' })).toBe('This file is an image, not a PDF.')
    expect(await save({ content: filePath, type: 'file' })).toBe('This file is an image, not a text.')
  })

  test('the same picture under the same name is kept once', async () => {
    const first = await media.store(makePng({ width: 9, height: 9 }), 'nine.png')
    const again = await media.store(makePng({ width: 9, height: 9, tells: true }), 'nine.png')
    const renamed = await media.store(makePng({ width: 9, height: 9 }), 'neuf.png')
    const others = await media.store(makePng({ width: 9, height: 9 }), 'nine.png', library.other)
    expect(again).toEqual(first)
    expect(new Set([first.fileId, renamed.fileId, others.fileId]).size).toBe(3)
  })

  test('POST /api/files takes an image or a PDF in base64, or its address, which is fetched through the guard.', async () => {
    const fetched = await media.send({ url: `${library.api}/shot.png` })
    expect(fetched.body).toMatchObject({
      fileName: 'shot.png',
      mediaType: 'image/png',
      bytes: makePng().length,
    })
    const page = await media.send({ url: `${library.api}/page` })
    expect([page.status, errorOf(page)]).toEqual([400, expect.stringMatching(/^Only PNG, JPEG/)])
    const gone = await media.send({ url: `${library.api}/gone.png` })
    expect([gone.status, errorOf(gone)]).toEqual([502, 'The address answered with status 404'])
    const inside = await media.send({ url: 'http://169.254.169.254/latest' })
    expect(inside).toMatchObject({ status: 400, body: { details: [{ path: 'url' }] } })
  })

  test.each([
    [{}, 400, 'Send either data or url'],
    [{ data: 'AA==', url: 'https://example.org' }, 400, 'Send either data or url'],
    [{ data: Buffer.from('<svg/>').toString('base64') }, 400, /^Only PNG/],
    [{ data: makePdf({ encrypted: true }).toString('base64') }, 400, /^The PDF is encrypted/],
    [{ data: Buffer.alloc(10_000_001).toString('base64') }, 413, 'A PDF can be 10 MB at most'],
    [{ data: 'A'.repeat(15 * 1024 * 1024) }, 413, 'A PDF can be 10 MB at most'],
  ])(
    'An image or PDF variable holds an upload of its owner, told by its bytes: PNG, JPEG or WebP up to 3.75 MB, a PDF up to 10 MB and 100 pages without a password. SVG and GIF are not taken. (%#)',
    async (body, status, error) => {
      const reply = await media.send(body)
      expect([reply.status, errorOf(reply)]).toEqual([
        status,
        typeof error === 'string' ? error : expect.stringMatching(error),
      ])
    },
  )

  test('an image of more than 3.75 MB without its notes is too large', async () => {
    const filler = Buffer.alloc(3_750_000, 7)
    const whole = makeJpeg()
    const long = Buffer.concat([whole.subarray(0, -2), filler, whole.subarray(-2)])
    const reply = await media.send({ data: long.toString('base64') })
    expect([reply.status, errorOf(reply)]).toEqual([413, 'An image can be 3.75 MB at most'])
  })

  test('a guest keeps none', async () => {
    const body = { data: makePng().toString('base64') }
    expect((await library.request({ method: 'POST', url: '/api/files', body })).status).toBe(401)
  })

  test('Bytes of files count toward what a person may keep.', async () => {
    const person = await library.registerUser()
    const usedBytes = async () => {
      const url = `/api/admin/users/${person.user.id}/quotas`
      const quotas = (await library.request({ url, as: library.admin })).body as PersonQuota[]
      return quotas.filter(({ quota }) => quota === 'uploads' || quota === 'files').map(({ used }) => used)
    }
    const { bytes, fileId } = await media.store(makePng({ width: 50, height: 50 }), 'own.png', person)
    expect(await usedBytes()).toEqual([1, bytes])
    await library.request({
      method: 'PATCH',
      url: `/api/admin/users/${person.user.id}/quotas`,
      body: { uploads: bytes },
      as: library.admin,
    })
    const refused = await media.send({ data: makePdf().toString('base64') }, person)
    expect([refused.status, errorOf(refused)]).toEqual([403, expect.stringMatching(/bytes of files/)])
    await library.db.delete(files).where(eq(files.id, fileId))
    expect(await usedBytes()).toEqual([0, 0])
  })

  test('A file that no variable and no run names is deleted after a day, with its bytes.', async () => {
    const { owner, db } = library
    const unused = await media.store(makePng({ width: 11, height: 1 }), 'unused.png')
    const held = await media.hold('kept_shot', makePng({ width: 11, height: 2 }))
    const sent = await media.store(makePng({ width: 11, height: 3 }), 'sent.png')
    const gone = await media.store(makePng({ width: 11, height: 4 }), 'gone.png')
    await library.createVariable(owner, { name: 'ran_shot', type: 'image', content: '' })
    const { id: promptId } = await library.createPrompt(owner, { content: 'See $<ran_shot>' })
    const run = async ({ filePath }: StoredFile) => {
      const body = { promptId, variableValues: { ran_shot: filePath } }
      const reply = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as: owner })
      return (reply.body as { executionId: number }).executionId
    }
    await run(sent)
    const executionId = await run(gone)
    await library.request({ method: 'DELETE', url: `/api/executions/${executionId}`, as: owner })
    await db.update(files).set({ createdAt: sql`now() - interval '2 days'` })
    await deleteUnused(library.ctx)
    const left = async ({ fileId }: { fileId: number }) => {
      const bytes = await db.select().from(fileBytes).where(eq(fileBytes.fileId, fileId))
      return [(await media.download(`/api/files/${fileId}`, owner)).status, bytes.length]
    }
    expect(await left(unused)).toEqual([404, 0])
    expect(await left(gone)).toEqual([404, 0])
    expect(await left(sent)).toEqual([200, 1])
    expect(await left({ fileId: held.attachment?.fileId ?? 0 })).toEqual([200, 1])
  })
})
