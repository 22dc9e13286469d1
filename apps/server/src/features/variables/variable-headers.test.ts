import { Writable } from 'node:stream'
import type { Variable } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { startLibraryWithApi, valuesOf } from '../../testing/variables.ts'

/** Each secret value of these tests begins like this. */
const CANARY = 'canary-4b1d'
const AUTH = `Bearer ${CANARY}-auth`
const KEY = `${CANARY}-key`

describe.each(routeDatabaseKinds)('headers of API variables on %s', (kind) => {
  let library: Awaited<ReturnType<typeof startLibraryWithApi>>
  let sent: Record<string, unknown> = {}
  let logged = ''
  let created = 0
  beforeAll(async () => {
    const destination = new Writable({
      write: (line, _encoding, done) => {
        logged += line
        done()
      },
    })
    library = await startLibraryWithApi(kind, {
      log: createLog({ level: 'trace', destination }),
      listener: (request, response) => {
        sent = request.headers
        if (request.url === '/away') {
          response.writeHead(302, { location: `http://localhost:${request.socket.localPort}/` }).end()
        } else
          response.writeHead(request.url === '/401' ? 401 : 200, { 'content-type': 'text/plain' }).end('ok')
      },
    })
  })
  afterAll(() => library.close())

  const create = async (fields: object = {}) => {
    created += 1
    const headers = { Authorization: AUTH, 'X-Key': KEY }
    const body = {
      name: `sealed_${created}`,
      type: 'api',
      apiUrl: `${library.api}/a`,
      apiHeaders: headers,
      isPublic: true,
      ...fields,
    }
    return library.createVariable(library.owner, body)
  }
  const patch = async (
    variable: Variable,
    { as = library.owner, ...fields }: { as?: TestUser } & Record<string, unknown> = {},
  ) => {
    const { id, name, apiUrl } = variable
    const body = { name, type: 'api', apiUrl, ...fields }
    const headers = { 'idempotency-key': `${id}-${Math.random()}` }
    return library.request({ method: 'PATCH', url: `/api/variables/${id}`, body, as, headers })
  }
  const listed = async ({ id }: Variable, as?: TestUser) => {
    const { text, body } = await library.request({ url: '/api/variables', as })
    return { text, headers: (body as Variable[]).find((variable) => variable.id === id)?.apiHeaders }
  }
  const fetchOnce = async ({ id, apiUrl }: Variable, as = library.owner) => {
    sent = {}
    const query = new URLSearchParams({ url: apiUrl, variableId: `${id}` })
    await library.request({ url: `/api/proxy?${query}`, as })
    return [sent.authorization, sent['x-key']]
  }

  test('Only the owner and administrators see header values (D24).', async () => {
    const { owner, other, admin } = library
    const variable = await create()
    expect(variable.apiHeaders).toEqual({ Authorization: AUTH, 'X-Key': KEY })
    expect((await listed(variable, owner)).headers).toEqual(variable.apiHeaders)
    expect((await listed(variable, admin)).headers).toEqual(variable.apiHeaders)
    for (const as of [other, undefined]) {
      const { headers, text } = await listed(variable, as)
      expect(headers).toEqual({ Authorization: '', 'X-Key': '' })
      expect(text).not.toContain(CANARY)
    }
    for (const as of [owner, other, admin]) expect(await fetchOnce(variable, as)).toEqual([AUTH, KEY])
  })

  test('a redirect to another origin gets none of them', async () => {
    await fetchOnce(await create({ apiUrl: `${library.api}/away` }))
    expect(sent.host).toMatch(/^localhost:/)
    expect(JSON.stringify(sent)).not.toContain(CANARY)
  })

  test('a save without headers keeps them; an empty value keeps the stored one; what is left out goes', async () => {
    const variable = await create()
    const kept = await patch(variable, { apiUrl: `${library.api}/b` })
    expect((kept.body as Variable).apiHeaders).toEqual(variable.apiHeaders)
    const saved = await patch(variable, { apiHeaders: { authorization: '', 'X-New': 'new' } })
    expect((saved.body as Variable).apiHeaders).toEqual({ authorization: AUTH, 'X-New': 'new' })
    expect(await fetchOnce(variable)).toEqual([AUTH, undefined])
    const json = await patch(variable, { apiHeaders: '{"X-Key": "from text"}' })
    expect((json.body as Variable).apiHeaders).toEqual({ 'X-Key': 'from text' })
    const empty = await patch(variable, { apiHeaders: '' })
    expect((empty.body as Variable).apiHeaders).toEqual({})
  })

  test.each(['{"X-Key": ', 'X-Key: value', '[]', '7', '{"X-Key": 7}', 'null', 7, [], { 'X-Key': null }])(
    'Headers that can’t be decrypted are refused, never taken as none. (%j)',
    async (apiHeaders) => {
      const variable = await create()
      expect(await patch(variable, { apiHeaders })).toMatchObject({
        status: 400,
        body: {
          error: 'API Headers must be valid JSON. Please correct and try again.',
          details: [{ path: 'apiHeaders', message: expect.any(String) }],
        },
      })
      expect((await listed(variable, library.owner)).headers).toEqual(variable.apiHeaders)
      const body = { name: 'unreadable', type: 'api', apiUrl: library.api, apiHeaders }
      const created = await library.request({
        method: 'POST',
        url: '/api/variables',
        body,
        as: library.owner,
      })
      expect(created.status).toBe(400)
    },
  )

  test.each([
    { given: undefined, left: {} },
    { given: { Authorization: '', 'x-key': '' }, left: {} },
    { given: { Authorization: AUTH, 'X-Key': KEY }, left: {} },
    { given: { authorization: AUTH, 'X-Key': 'another' }, left: { 'X-Key': 'another' } },
    { given: { 'X-Other': KEY }, left: { 'X-Other': KEY } },
  ])(
    'Header values are cleared when the address moves to another origin (D24). ($given)',
    async ({ given, left }) => {
      for (const as of [library.owner, library.admin]) {
        const variable = await create()
        const apiUrl = library.api.replace('127.0.0.1', 'localhost')
        const saved = await patch(variable, { as, apiUrl, apiHeaders: given })
        expect([saved.status, (saved.body as Variable).apiHeaders]).toEqual([200, left])
      }
    },
  )

  test('nor does it come back by way of another type, or of the old origin', async () => {
    const variable = await create()
    await patch(variable, { type: 'text', apiUrl: '', content: 'x' })
    expect(((await patch(variable)).body as Variable).apiHeaders).toEqual({})
    const away = await create()
    await patch(away, { apiUrl: 'https://example.org/' })
    const back = await patch(away, { apiHeaders: { Authorization: '' } })
    expect((back.body as Variable).apiHeaders).toEqual({})
  })

  test('Header values are sealed.', async () => {
    const [from, to] = [await create(), await create({ apiHeaders: {} })]
    await library.db.execute(sql`
      update variables set api_headers = (select api_headers from variables where id = ${from.id})
      where id = ${to.id}`)
    expect((await listed(to, library.owner)).headers).toEqual({ Authorization: '', 'X-Key': '' })
    expect(await fetchOnce(to)).toEqual([undefined, undefined])
    await library.db.execute(sql`update variables set api_url = 'https://example.org/' where id = ${from.id}`)
    expect((await listed(from, library.owner)).headers).toEqual({ Authorization: '', 'X-Key': '' })
    const { content } = valuesOf(library.ctx)
    const { signal } = new AbortController()
    const reply = await content({ idOrName: `${to.id}`, user: library.owner.user, signal })
    expect(reply).toEqual({ error: 'A header can no longer be read. Enter it again.' })
  })

  test.each([
    [{ 'bad name': 'x' }, 'Use only letters, digits and hyphens in a header name'],
    [{ '': 'x' }, 'Use only letters, digits and hyphens in a header name'],
    [{ 'X-A': 'a\r\nX-B: b' }, 'A header value has no line breaks and no characters beyond Latin-1'],
    [{ 'X-A': '👋' }, 'A header value has no line breaks and no characters beyond Latin-1'],
    [{ 'X-A': '1', 'x-a': '2' }, 'Two headers have the same name'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`X-${n}`, 'x'])), 'At most 50 headers'],
  ])('refused: %j', async (apiHeaders) => {
    const body = { name: 'refused', type: 'api', apiUrl: library.api, apiHeaders }
    const reply = await library.request({ method: 'POST', url: '/api/variables', body, as: library.owner })
    expect(reply.status).toBe(400)
  })

  test('the values are in no log, no error, no reply to others and nowhere in the database', async () => {
    const { owner, other } = library
    const variable = await create({ cacheSeconds: 60 })
    const failing = await create({ apiUrl: `${library.api}/401` })
    const prompt = await library.createPrompt(owner, {
      content: `$<${variable.name}> $<${failing.name}>`,
      isPublic: true,
    })
    const replies = [
      await patch(variable, { as: other }),
      await patch(variable, { revision: 99, as: other }),
      await library.request({ url: `/api/variables/${failing.id}/content`, as: other }),
      await library.request({ url: `/api/variables/${failing.id}/preview`, as: owner }),
    ]
    const body = { promptId: prompt.id }
    for (const as of [owner, other])
      replies.push(await library.request({ method: 'POST', url: '/api/execute-prompt', body, as }))
    replies.push(await library.request({ url: `/api/prompts/${prompt.id}/executions`, as: owner }))
    expect(JSON.stringify(replies)).not.toContain(CANARY)
    expect(replies.at(-1)?.text).toContain('The address answered with status 401')
    expect(logged).toContain(`/api/variables/${variable.id}`)
    expect(logged).not.toContain(CANARY)
    const tables = await library.db.execute<{ name: string }>(
      sql`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    let dump = ''
    for (const { name } of tables.rows) {
      const { rows } = await library.db.execute(sql.raw(`select t::text as row from ${name} t`))
      dump += `${name} ${JSON.stringify(rows)}\n`
    }
    expect(dump).toContain(variable.name)
    expect(dump).toMatch(/idempotency_keys .*\bv\d\./)
    expect(dump).not.toContain(CANARY)
    expect(dump).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 12))
  })
})
