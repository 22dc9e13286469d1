import type { ListKey } from '@catenary/contracts'
import { clip } from '@catenary/domain'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { callOf, LISTS, type ListedIds } from '../../testing/every-list.ts'
import { fillLibrary } from '../../testing/full-library.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

const LIST_TEXT_MAX = 500
const NEXT_CURSOR = 'x-next-cursor'
const TOTAL_COUNT = 'x-total-count'

const long = 'A long text, 😀 and all. '.repeat(50)

const ROWS = 3
/** What their pages do not count. */
const UNCOUNTED: readonly ListKey[] = [
  'GET /api/chains/{id}/label-moves',
  'GET /api/prompts/{id}/label-moves',
]

describe.each(routeDatabaseKinds)('every list on %s', (kind) => {
  let library: Library
  let ids: ListedIds
  beforeAll(async () => {
    library = await startLibrary(kind)
    ;({ ids } = await fillLibrary(library, { rows: ROWS }))
  })
  afterAll(() => library.close())

  const read = (key: ListKey, query: Record<string, string>) => {
    const { url, as } = callOf(key, ids)
    const [path, given] = url.split('?')
    const params = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(given)), ...query })
    return library.request({ url: `${path}?${params}`, as: library[as] })
  }

  test.each(LISTS)('%s comes in pages that a cursor leads to, and says how many there are', async (key) => {
    const whole = await read(key, {})
    const rows = whole.body as object[]
    expect(whole.status, whole.text).toBe(200)
    expect(rows.length, 'apps/server/src/testing/full-library.ts fills each list').toBeGreaterThan(1)
    const total = UNCOUNTED.includes(key) ? undefined : `${rows.length}`
    expect([whole.headers[TOTAL_COUNT], whole.headers[NEXT_CURSOR]]).toEqual([total, undefined])
    const walked: object[] = []
    let query: Record<string, string> = { limit: '1' }
    while ('limit' in query) {
      const page = await read(key, query)
      walked.push(...(page.body as object[]))
      const cursor = page.headers[NEXT_CURSOR]
      query = cursor === undefined ? {} : { limit: '1', cursor: String(cursor) }
    }
    expect(walked).toEqual(rows)
  })

  test.each(LISTS)('%s refuses what is no cursor of it', async (key) => {
    const foreign = key === 'GET /api/categories' ? 'GET /api/admin/users' : 'GET /api/categories'
    const other = await read(foreign, { limit: '1' })
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [list] = JSON.parse(Buffer.from(String(other.headers[NEXT_CURSOR]), 'base64url').toString()) as [
      string,
    ]
    const forged = [
      ...['x', '%', 'e30', written(null), written([list]), written([list, { key: '\0', id: 1 }])],
      ...[written([list, -1]), written([list, { key: '0000-01-01T00:00:00Z', id: 1 }])],
      String(other.headers[NEXT_CURSOR]),
    ]
    for (const cursor of forged) {
      const reply = await read(key, { cursor })
      expect([reply.status, reply.body], cursor).toMatchObject([400, { details: [{ path: 'cursor' }] }])
    }
    for (const limit of ['0', '1001', '1.5', 'x', ''])
      expect((await read(key, { limit })).status, limit).toBe(400)
  })
})

describe.each(routeDatabaseKinds)('a list on %s', (kind) => {
  let library: Library
  const ids = { prompt: 0, chain: 0, step: 0 }

  beforeAll(async () => {
    library = await startLibrary(kind)
    const { owner, categoryId } = library
    for (const name of ['first', 'second', 'third']) {
      const prompt = await library.createPrompt(owner, { title: name, content: long })
      await library.createVariable(owner, { name, content: long })
      const chain = await library.createChain(owner, { name, description: long })
      Object.assign(ids, { prompt: prompt.id, chain: chain.id })
    }
    for (const content of ['second text', 'third text']) {
      const body = { ...promptBody({ categoryId }), title: 'third', content }
      await library.request({ method: 'PUT', url: `/api/prompts/${ids.prompt}`, body, as: owner })
    }
    ids.step = (await library.createStep(owner, ids.chain, { content: long, systemPrompt: long })).id
    await library.db.execute(sql`
      with made as (
        insert into executions (kind, user_id, prompt_id, status, user_input, variable_values)
        values ('prompt', ${owner.user.id}, ${ids.prompt}, 'completed', ${long},
          jsonb_build_object('name', repeat('value ', 1000)))
        returning id
      )
      insert into execution_steps (execution_id, position, status, model, input_content, ai_response)
      select id, 0, 'completed', 'openai', ${long}, ${long} from made`)
  })
  afterAll(() => library.close())

  test('shows the beginning of a long text, and the record by its id the whole', async () => {
    const { owner } = library
    const get = async (url: string) => (await library.request({ url, as: owner })).body
    const marks = { contentClipped: true, contentLength: [...long].length }
    const clipped = { content: clip(long), ...marks }
    const [, , prompt] = (await get('/api/prompts')) as object[]
    expect(prompt).toMatchObject(clipped)
    const [variable] = (await get('/api/variables')) as { id: number }[]
    expect(variable).toMatchObject(clipped)
    expect(await get(`/api/variables/${variable?.id}`)).toMatchObject({ content: long })
    const versions = await get(`/api/prompts/${ids.prompt}/versions`)
    expect(versions).toMatchObject([{ content: 'third text' }, { content: 'second text' }, clipped])
    expect(await get(`/api/prompts/${ids.prompt}/versions/1`)).toMatchObject({ content: long })
    const [, , chain] = (await get('/api/chains')) as object[]
    expect(chain).toMatchObject({ descriptionClipped: true, descriptionLength: [...long.trim()].length })
    const { steps } = (await get(`/api/chains/${ids.chain}`)) as { steps: object[] }
    const { contentLength: systemPromptLength } = marks
    expect(steps).toMatchObject([{ ...clipped, systemPromptClipped: true, systemPromptLength }])
    const step = await get(`/api/chains/${ids.chain}/steps/${ids.step}`)
    expect(step).toMatchObject({ content: long, systemPrompt: long })
    const [run] = (await get(`/api/prompts/${ids.prompt}/executions`)) as { id: number }[]
    expect(run).toMatchObject({
      ...{ executedPromptContent: clip(long), userInput: clip(long), aiResponse: clip(long) },
      ...{ variableValues: {}, contentClipped: true, contentLength: Buffer.byteLength(long) },
    })
    const whole = await get(`/api/prompts/${ids.prompt}/executions/${run?.id}`)
    expect(whole).toMatchObject({ executedPromptContent: long, aiResponse: long })
    expect(whole).toMatchObject({ variableValues: { name: 'value '.repeat(1000) } })
  })

  test('is never written back: the clip of what is stored is refused, any other text is saved', async () => {
    const { owner, categoryId } = library
    const shown = clip(long)
    const prompt = await library.createPrompt(owner, { content: long })
    const variable = await library.createVariable(owner, { name: 'kept', content: long })
    const chain = await library.createChain(owner, { description: long })
    const step = await library.createStep(owner, chain.id, { content: long, systemPrompt: long })
    const writes = [
      ['PUT', `/api/prompts/${prompt.id}`, { ...promptBody({ categoryId }), content: shown }],
      ['PATCH', `/api/variables/${variable.id}`, { name: 'kept', type: 'text', content: shown }],
      ['PATCH', `/api/chains/${chain.id}`, { description: shown }],
      ['PATCH', `/api/chains/${chain.id}/steps/${step.id}`, { content: shown }],
      ['PATCH', `/api/chains/${chain.id}/steps/${step.id}`, { systemPrompt: shown }],
    ] as const
    for (const [method, url, body] of writes) {
      const refused = await library.request({ method, url, body, as: owner })
      expect([refused.status, refused.body], url).toMatchObject([
        409,
        { error: expect.stringContaining('beginning') },
      ])
      const more = Object.fromEntries(
        Object.entries(body).map(([key, value]) => [key, value === shown ? `${shown}!` : value]),
      )
      expect((await library.request({ method, url, body: more, as: owner })).status, url).toBe(200)
    }
    // A text no longer than a clip is no mistake.
    const short = 'x'.repeat(LIST_TEXT_MAX)
    const body = { ...promptBody({ categoryId }), content: short }
    for (let time = 0; time < 2; time += 1) {
      const saved = await library.request({
        method: 'PUT',
        url: `/api/prompts/${prompt.id}`,
        body,
        as: owner,
      })
      expect(saved.status).toBe(200)
    }
  })

  test('a conflict about a step comes with its whole texts', async () => {
    const { owner } = library
    const url = `/api/chains/${ids.chain}/steps/${ids.step}`
    const reply = await library.request({
      method: 'PATCH',
      url,
      body: { title: 'x', revision: 1 },
      as: owner,
    })
    expect(reply.status).toBe(409)
    const { steps } = (reply.body as { details: { steps: { id: number }[] } }).details
    expect(steps.find(({ id }) => id === ids.step)).toMatchObject({ content: long, systemPrompt: long })
  })

  test('of variables leaves out the values of long headers, and gives them with the variable', async () => {
    const { owner } = library
    const apiHeaders = { 'x-long': 'v'.repeat(7000), 'x-short': 'short' }
    const fields = { name: 'called', type: 'api', apiUrl: 'https://example.org/', apiHeaders }
    const { id } = await library.createVariable(owner, fields)
    const listed = await library.request({ url: '/api/variables?search=called', as: owner })
    expect(listed.body).toMatchObject([
      { id, apiHeaders: { 'x-long': '', 'x-short': '' }, apiHeadersClipped: true },
    ])
    const single = await library.request({ url: `/api/variables/${id}`, as: owner })
    expect(single.body).toMatchObject({ apiHeaders })
    expect((await library.request({ url: `/api/variables/${id}`, as: library.other })).status).toBe(404)
  })
})
