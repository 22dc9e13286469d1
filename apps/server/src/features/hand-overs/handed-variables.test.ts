import type { Variable } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { mediaOf } from '../../testing/media.ts'
import { makePng } from '../../testing/pictures.ts'
import { startLibraryWithApi } from '../../testing/variables.ts'

const SECRET = 'canary-7c2e-auth'

describe.each(routeDatabaseKinds)('a variable that is handed over, on %s', (kind) => {
  let library: Awaited<ReturnType<typeof startLibraryWithApi>>
  let sent: Record<string, unknown> = {}
  beforeAll(async () => {
    library = await startLibraryWithApi(kind, {
      listener: (request, response) => {
        sent = request.headers
        response.writeHead(200, { 'content-type': 'text/plain' }).end(`for ${sent.authorization}`)
      },
    })
  })
  afterAll(() => library.close())

  const offer = (id: number) =>
    library.request({
      ...{ method: 'POST', url: `/api/variables/${id}/owner`, as: library.owner },
      body: { username: 'Oskar' },
    })
  const accept = (id: number) =>
    library.request({ method: 'POST', url: `/api/variables/${id}/owner/accept`, as: library.other })
  const handOver = async (id: number) => {
    for (const reply of [await offer(id), await accept(id)]) expect(reply.status, reply.text).toBe(200)
  }
  const read = async (id: number) =>
    (await library.request({ url: `/api/variables/${id}`, as: library.other })).body as Variable
  const contentOf = async (id: number, as = library.other) =>
    (await library.request({ url: `/api/variables/${id}/content`, as })).body
  const upload = async (content: string, as = library.owner) => {
    const reply = await library.request({
      method: 'POST',
      url: '/api/upload',
      body: { fileName: 'a.txt', content },
      as,
    })
    return (reply.body as { filePath: string }).filePath
  }

  test('Values of headers and what was fetched with them stay behind: no call of the new owner shows or sends them (D24).', async () => {
    const { id, apiUrl } = await library.createVariable(library.owner, {
      ...{ name: 'rates', type: 'api', apiUrl: `${library.api}/rates?of=today`, isPublic: true },
      ...{ apiHeaders: { Authorization: SECRET }, cacheSeconds: 3600 },
    })
    expect(await contentOf(id)).toEqual({ content: `for ${SECRET}` })
    await handOver(id)
    expect(await read(id)).toMatchObject({ owner: 'Oskar', apiUrl, apiHeaders: {}, canEdit: true })
    const stored = await library.db.execute(sql`
      select api_headers, (select count(*)::integer from variable_fetches where variable_id = ${id}) as fetches
      from variables where id = ${id}`)
    expect(stored.rows).toEqual([{ api_headers: {}, fetches: 0 }])
    sent = {}
    const query = new URLSearchParams({ url: apiUrl, variableId: `${id}` })
    const urls = [
      '',
      `/${id}`,
      `/${id}/preview`,
      `/${id}/content`,
      '/rates/content',
      '/by-tags',
      `/${id}/usage`,
    ]
    for (const url of [...urls.map((rest) => `/api/variables${rest}`), `/api/proxy?${query}`]) {
      const reply = await library.request({ url, as: library.other })
      expect([url, reply.status, reply.text.includes(SECRET)]).toEqual([url, 200, false])
    }
    expect(sent.host).toBeDefined()
    expect(JSON.stringify(sent)).not.toContain(SECRET)
  })

  test('A file goes with its variable, under another key where the new owner has one of its key.', async () => {
    const { owner, other, db } = library
    const ids: number[] = []
    for (const name of ['terms', 'clauses']) {
      const content = await upload(`The ${name}.`)
      ids.push((await library.createVariable(owner, { name, type: 'file', content })).id)
    }
    const [terms = 0, clauses = 0] = ids
    const taken = await db.execute<{ key: string }>(sql`
      insert into files (owner_id, key, content) select ${other.user.id}, content, 'Quite another.' from variables
      where id = ${clauses} returning key`)
    await handOver(terms)
    await handOver(clauses)
    expect([await contentOf(terms), await contentOf(clauses)]).toEqual([
      { content: 'The terms.' },
      { content: 'The clauses.' },
    ])
    expect((await read(clauses)).content).not.toBe(taken.rows[0]?.key)
    expect((await library.request({ url: `/api/variables/${terms}/content`, as: owner })).body).toMatchObject(
      {
        error: expect.any(String),
      },
    )
    // The former owner’s upload may go.
    await db.execute(sql`delete from files where owner_id = ${owner.user.id}`)
    expect(await contentOf(terms)).toEqual({ content: 'The terms.' })
  })

  test('A key without a file among the former owner’s means none among the new owner’s: nobody has their own files taken by it.', async () => {
    const content = await upload('Oskar’s own.', library.other)
    const { id } = await library.createVariable(library.owner, { name: 'bait', isPublic: true })
    await library.db.execute(sql`update variables set type = 'file', content = ${content} where id = ${id}`)
    await handOver(id)
    expect((await read(id)).content).toBe('')
    for (const as of [library.other, library.admin]) {
      expect(JSON.stringify(await contentOf(id, as))).not.toContain('own')
    }
  })

  test('A picture that the new owner has already is kept once.', async () => {
    const { owner, other, db } = library
    const { store, download } = mediaOf(library)
    const png = makePng()
    const mine = await store(png, 'logo.png')
    const { id } = await library.createVariable(owner, {
      name: 'logo',
      type: 'image',
      content: mine.filePath,
    })
    const second = await library.createVariable(owner, {
      name: 'mark',
      type: 'image',
      content: mine.filePath,
    })
    await handOver(id)
    await handOver(second.id)
    const count = await db.execute(
      sql`select count(*)::integer as n from files where owner_id = ${other.user.id} and media_type is not null`,
    )
    expect(count.rows).toEqual([{ n: 1 }])
    expect((await read(id)).attachment).toMatchObject({ fileName: 'logo.png' })
    const { status, bytes } = await download(`/api/variables/${second.id}/file`, other)
    expect([status, bytes.length]).toEqual([200, mine.bytes])
  })

  test('A file in the former owner’s Google Drive stays theirs: the new owner chooses one anew (D26).', async () => {
    const drive = {
      name: 'sheet',
      type: 'googleDrive',
      googleDriveFileId: 'file-1',
      googleDriveFileName: 'Prices',
    }
    const { id } = await library.createVariable(library.owner, drive)
    await handOver(id)
    expect(await read(id)).toMatchObject({ googleDriveFileId: '', googleDriveFileName: 'Prices' })
    expect(await contentOf(id)).toMatchObject({ error: 'No Google Drive file specified' })
  })

  test('A variable whose name the new owner uses already, in whatever case, can’t be accepted until they rename theirs.', async () => {
    const { owner, other } = library
    const { id } = await library.createVariable(owner, { name: 'Client' })
    const own = await library.createVariable(other, { name: 'CLIENT', content: 'mine' })
    expect((await offer(id)).status).toBe(200)
    const refused = await accept(id)
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'You already have a variable named Client. Rename yours, then accept.', code: 'name_taken' },
    ])
    expect((await library.request({ url: `/api/variables/${id}`, as: owner })).status).toBe(200)
    const body = { name: 'customer', type: 'text' }
    await library.request({ method: 'PATCH', url: `/api/variables/${own.id}`, body, as: other })
    expect((await accept(id)).status).toBe(200)
  })

  test('Its name comes off the lists of private names of both, which were made when it meant another value, or none (D69).', async () => {
    const { owner, other, db } = library
    const { id } = await library.createVariable(owner, { name: 'Account' })
    const prompt = await library.createPrompt(library.admin, { isPublic: true })
    const fills = ['account', 'kept'].map((name) => ({ kind: 'prompt', id: prompt.id, name }))
    const body = { promptIds: [prompt.id], fills }
    for (const as of [owner, other])
      await library.request({ method: 'POST', url: '/api/prompt-acceptances', body, as })
    await handOver(id)
    const { rows } = await db.execute(
      sql`select fills from prompt_acceptances where prompt_id = ${prompt.id}`,
    )
    expect(rows).toEqual([{ fills: fills.slice(1) }, { fills: fills.slice(1) }])
  })
})
