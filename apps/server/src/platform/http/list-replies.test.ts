import { clip } from '@catenary/domain'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

const LIST_TEXT_MAX = 500
const NEXT_CURSOR = 'x-next-cursor'
const TOTAL_COUNT = 'x-total-count'

const long = 'A long text, 😀 and all. '.repeat(50)

describe.each(routeDatabaseKinds)('every list on %s', (kind) => {
  let library: Library
  const ids = { prompt: 0, chain: 0, step: 0, variable: 0, variableTag: 0, chainTag: 0 }

  beforeAll(async () => {
    library = await startLibrary(kind)
    const { owner, db, categoryId } = library
    for (const name of ['first', 'second', 'third']) {
      const prompt = await library.createPrompt(owner, { title: name, content: long })
      await library.createTag(owner, name)
      const variableTag = await library.createTag(owner, name, '/api/variables/tags')
      const chainTag = await library.createTag(owner, name, '/api/chain-tags')
      const tagged = { tagIds: [ids.variableTag || variableTag.id] }
      const variable = await library.createVariable(owner, { name, content: long, ...tagged })
      const chain = await library.createChain(owner, {
        name,
        description: long,
        tagIds: [ids.chainTag || chainTag.id],
      })
      Object.assign(ids, { prompt: prompt.id, chain: chain.id, variable: variable.id })
      ids.variableTag ||= variableTag.id
      ids.chainTag ||= chainTag.id
    }
    for (const content of ['second text', 'third text']) {
      const body = { ...promptBody({ categoryId }), title: 'third', content }
      await library.request({ method: 'PUT', url: `/api/prompts/${ids.prompt}`, body, as: owner })
    }
    ids.step = (await library.createStep(owner, ids.chain, { content: long, systemPrompt: long })).id
    await library.request({
      method: 'POST',
      url: '/api/login',
      body: { username: 'Olga', password: owner.password },
    })
    await db.execute(sql`
      with made as (
        insert into executions (kind, user_id, prompt_id, chain_id, chain_name, status, user_input, variable_values)
        select kind::execution_kind, ${owner.user.id}, case when kind = 'prompt' then ${ids.prompt}::integer end,
          case when kind = 'chain' then ${ids.chain}::integer end, 'third', 'completed', ${long},
          jsonb_build_object('name', repeat('value ', 1000))
        from unnest(array['prompt', 'chain']) kind, generate_series(1, 3) returning id
      )
      insert into execution_steps (execution_id, position, status, model, input_content, ai_response)
      select id, 0, 'completed', 'openai', ${long}, ${long} from made`)
  })
  afterAll(() => library.close())

  const LISTS: [string, () => string, 'owner' | 'admin'][] = [
    ['prompts', () => '/api/prompts', 'owner'],
    ['versions', () => `/api/prompts/${ids.prompt}/versions`, 'owner'],
    ['history of a prompt', () => `/api/prompts/${ids.prompt}/executions`, 'owner'],
    ['executions of a prompt', () => `/api/executions?promptId=${ids.prompt}`, 'owner'],
    ['history of a chain', () => `/api/chains/${ids.chain}/executions`, 'owner'],
    ['chains', () => '/api/chains', 'owner'],
    ['chains by tags', () => `/api/chains/by-tags?tagIds=${ids.chainTag}`, 'owner'],
    ['variables', () => '/api/variables', 'owner'],
    ['variables by tags', () => `/api/variables/by-tags?tagIds=${ids.variableTag}`, 'owner'],
    ['usage', () => '/api/variables/usage', 'owner'],
    ['categories', () => '/api/categories', 'owner'],
    ['tags of prompts', () => '/api/tags', 'owner'],
    ['tags of variables', () => '/api/variables/tags', 'owner'],
    ['tags of chains', () => '/api/chain-tags', 'owner'],
    ['accounts', () => '/api/admin/users', 'admin'],
    ['sessions', () => '/api/account/sessions', 'owner'],
  ]

  const read = async ({ url, as, query }: { url: string; as: 'owner' | 'admin'; query: object }) => {
    const params = new URLSearchParams({ ...query })
    const address = `${url}${params.size === 0 ? '' : `${url.includes('?') ? '&' : '?'}${params}`}`
    return library.request({ url: address, as: library[as] })
  }

  test.each(LISTS)(
    'of %s comes in pages that a cursor leads to, and says how many there are',
    async (_, url, as) => {
      const whole = await read({ url: url(), as, query: {} })
      const rows = whole.body as object[]
      expect(whole.status, whole.text).toBe(200)
      expect(rows.length).toBeGreaterThan(1)
      expect([whole.headers[TOTAL_COUNT], whole.headers[NEXT_CURSOR]]).toEqual([`${rows.length}`, undefined])
      const walked: object[] = []
      let query: object = { limit: '1' }
      while ('limit' in query) {
        const page = await read({ url: url(), as, query })
        walked.push(...(page.body as object[]))
        const cursor = page.headers[NEXT_CURSOR]
        query = cursor === undefined ? {} : { limit: '1', cursor }
      }
      expect(walked).toEqual(rows)
    },
  )

  test.each(LISTS)('of %s refuses what is no cursor of it', async (name, url, as) => {
    const foreign = name === 'categories' ? '/api/admin/users' : '/api/categories'
    const other = await read({ url: foreign, as: 'admin', query: { limit: '1' } })
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
      const reply = await read({ url: url(), as, query: { cursor } })
      expect([reply.status, reply.body], cursor).toMatchObject([400, { details: [{ path: 'cursor' }] }])
    }
    for (const limit of ['0', '1001', '1.5', 'x', ''])
      expect((await read({ url: url(), as, query: { limit } })).status, limit).toBe(400)
  })

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
