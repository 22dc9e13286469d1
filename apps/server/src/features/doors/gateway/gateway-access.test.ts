import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

const hello = [{ role: 'user', content: 'Hello' }]

describe.each(routeDatabaseKinds)('who may call a chain, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind)
  })
  afterAll(() => gateway.close())
  beforeEach(() => gateway.fake.reset())

  const paths = { '/v1/messages': { max_tokens: 50 }, '/v1/chat/completions': {} }
  /** The statuses of each wire, and of the list of models. */
  const knock = async (value: string, model = 'any', headers: object = {}) => {
    const statuses = []
    for (const [path, fields] of Object.entries(paths)) {
      const body = { model, messages: hello, ...fields }
      statuses.push((await gateway.post(path, value, body, headers)).status)
    }
    statuses.push((await gateway.post('/v1/responses', value, { model, input: 'Hello' }, headers)).status)
    statuses.push((await gateway.get('/v1/models', value, headers)).status)
    return statuses
  }
  const all = (status: number) => [status, status, status, status]

  test('a chain token runs only its chain, by its own names or any name that no chain has', async () => {
    const { value, model, chain } = await gateway.serve()
    expect(await knock(value, model)).toEqual(all(200))
    expect(await knock(value, `claude-${model}`)).toEqual(all(200))
    expect(await knock(value, 'gpt-4o')).toEqual(all(200))
    const other = await gateway.buildChain(['{{input}}'])
    expect(await knock(value, `chain-${other.id}`)).toEqual([404, 404, 404, 200])
    expect(await gateway.lastRun(chain.id)).toMatchObject({
      ...{ trigger: 'token', executedBy: 'Olga', token: { name: 'Helpdesk' } },
      apiCall: { path: '/v1/responses', ignored: [] },
    })
  })

  test('x-api-key is as good as a bearer token', async () => {
    const { value } = await gateway.serve()
    const reply = await fetch(`${gateway.address}/v1/models`, { headers: { 'x-api-key': value } })
    expect(reply.status).toBe(200)
  })

  test('Of both credential headers the token in our form counts.', async () => {
    const { value } = await gateway.serve()
    for (const headers of [
      { authorization: 'Bearer sk-ant-oat01-foreign', 'x-api-key': value },
      { authorization: `Bearer ${value}`, 'x-api-key': 'sk-ant-api03-foreign' },
      { authorization: 'Basic Zm9v', 'x-api-key': value },
    ]) {
      expect((await fetch(`${gateway.address}/v1/models`, { headers })).status).toBe(200)
    }
  })

  test('A call is refused for what does not fit: a revoked or expired token, the wrong kind, a disabled account, a chain out of sight, an emptied selection, a cookie, a key in the address.', async () => {
    const { value, token } = await gateway.serve()
    const last = value.endsWith('0') ? '1' : '0'
    for (const bad of ['none', `${value.slice(0, -1)}${last}`, value.replace('ctc_', 'ctr_'), '']) {
      expect(await knock(bad)).toEqual(all(401))
    }
    expect(await knock(value)).toEqual(all(200))
    await gateway.request({ method: 'DELETE', url: `/api/tokens/${token.id}`, as: gateway.owner })
    expect(await knock(value)).toEqual(all(401))
    expect(gateway.fake.journal).toHaveLength(3)
  })

  test('one that has expired is refused', async () => {
    const { value, token } = await gateway.serve()
    expect(await knock(value)).toEqual(all(200))
    const body = { expiresAt: new Date(Date.now() - 1_000).toISOString() }
    await gateway.request({ method: 'PATCH', url: `/api/tokens/${token.id}`, as: gateway.owner, body })
    expect(await knock(value)).toEqual(all(401))
  })

  test('one of a disabled account is refused, at once', async () => {
    const person = await gateway.registerUser()
    const chain = await gateway.buildChain(['{{input}}'], { as: person })
    const { token } = await gateway.createToken(chain.id, {}, person)
    expect(await knock(token)).toEqual(all(200))
    await gateway.db.update(users).set({ banned: true }).where(eq(users.id, person.user.id))
    expect(await knock(token)).toEqual(all(401))
  })

  test('a deleted chain takes its token along; one that its creator may not see any more is not found', async () => {
    const { value, chain } = await gateway.serve()
    await gateway.request({ method: 'DELETE', url: `/api/chains/${chain.id}`, as: gateway.owner })
    expect(await knock(value)).toEqual(all(401))

    const shared = await gateway.buildChain(['{{input}}'], { sharedLevel: 'shared' })
    const share = (body: object[]) =>
      gateway.request({ method: 'PUT', url: `/api/chains/${shared.id}/shares`, as: gateway.owner, body })
    await share([{ username: 'Oskar', role: 'editor' }])
    const { token } = await gateway.createToken(shared.id, {}, gateway.other)
    expect(await knock(token)).toEqual(all(200))
    await share([])
    expect(await knock(token)).toEqual([404, 404, 404, 200])
  })

  test('a Best Chain token whose scope was emptied reaches nothing, and runs nothing', async () => {
    const chain = await gateway.buildChain(['{{input}}'])
    const { token } = await gateway.createBestToken({ includedChainIds: [chain.id] })
    expect(await knock(token)).toEqual(all(200))
    await gateway.request({ method: 'DELETE', url: `/api/chains/${chain.id}`, as: gateway.owner })
    expect(await knock(token)).toEqual([404, 404, 404, 200])
    expect(await (await gateway.get('/v1/models', token)).json()).toEqual({ object: 'list', data: [] })
  })

  test('cookies never count, nor does what site a call comes from', async () => {
    const { value } = await gateway.serve()
    const { cookie } = gateway.owner.headers
    expect(await knock('none', 'any', { cookie, 'sec-fetch-site': 'same-origin' })).toEqual(all(401))
    expect(await knock(value, 'any', { cookie, 'sec-fetch-site': 'cross-site' })).toEqual(all(200))
  })

  test('a token opens nothing but /v1', async () => {
    const { value } = await gateway.serve()
    expect((await gateway.get('/api/best-tokens', value)).status).toBe(401)
    expect((await gateway.get('/api/user', value)).status).toBe(401)
  })

  test('a key in the address is refused, even beside a good header', async () => {
    const { value } = await gateway.serve()
    for (const query of [`api_key=${value}`, 'key=x', 'access_token=x', `other=${value}`]) {
      expect((await gateway.get(`/v1/models?${query}`, value)).status).toBe(401)
    }
    expect((await gateway.get('/v1/models?limit=1000', value)).status).toBe(200)
  })

  test('After a rotation the former value of a token works for a chosen time.', async () => {
    const { value, token } = await gateway.serve()
    const rotate = async (body: object) => {
      const url = `/api/tokens/${token.id}/rotate`
      const reply = await gateway.request({ method: 'POST', url, as: gateway.owner, body })
      return (reply.body as { token: string }).token
    }
    const second = await rotate({ overlapMinutes: 10 })
    expect([await knock(value), await knock(second)]).toEqual([all(200), all(200)])
    const third = await rotate({})
    expect([await knock(value), await knock(second), await knock(third)]).toEqual([
      all(401),
      all(401),
      all(200),
    ])
  })

  describe('limits', () => {
    test('A token may have an end, requests a minute, calls at once, and money a month (D41, D56).', async () => {
      const { value, token } = await gateway.serve(undefined, { requestsPerMinute: 2 })
      expect(await knock(value)).toEqual([200, 200, 429, 200])
      const reply = await gateway.post('/v1/messages', value, { model: 'x', messages: hello, max_tokens: 5 })
      expect(reply.status).toBe(429)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(reply.headers.get('x-should-retry')).toBeNull()
      expect(await reply.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
      const [listed] = (
        await gateway.request({ url: `/api/tokens?chainId=${token.chainId}`, as: gateway.owner })
      ).body as object[]
      expect(listed).toMatchObject({ calls: 2, lastError: { code: 'token_rate' } })
    })

    test('calls at once', async () => {
      const { value } = await gateway.serve(undefined, { callsAtOnce: 1 })
      const release = Promise.withResolvers<void>()
      gateway.fake.reply({ text: 'slow', before: () => release.promise })
      const body = { model: 'x', messages: hello }
      const first = gateway.post('/v1/chat/completions', value, body)
      await expect.poll(() => gateway.fake.journal.length).toBe(1)
      expect((await gateway.post('/v1/chat/completions', value, body)).status).toBe(429)
      release.resolve()
      expect((await first).status).toBe(200)
      await expect
        .poll(async () => (await gateway.post('/v1/chat/completions', value, body)).status)
        .toBe(200)
    })

    test('calls at once of all tokens of a person, as many as they may have streams', async () => {
      const values = [(await gateway.serve()).value, (await gateway.serve()).value]
      const url = `/api/admin/users/${gateway.owner.user.id}/quotas`
      const setStreams = (streams: number | null) =>
        gateway.request({ method: 'PATCH', url, body: { streams }, as: gateway.admin })
      await setStreams(1)
      const release = Promise.withResolvers<void>()
      gateway.fake.reply({ text: 'slow', before: () => release.promise })
      const ask = (value = '') => gateway.post('/v1/chat/completions', value, { model: 'x', messages: hello })
      const first = ask(values[0])
      await expect.poll(() => gateway.fake.journal.length).toBe(1)
      const refused = await ask(values[1])
      expect(refused.status).toBe(429)
      expect(await refused.json()).toMatchObject({
        error: {
          message: expect.stringMatching(/^One person’s tokens may have 1 calls at once\. Wait for one/),
        },
      })
      release.resolve()
      expect((await first).status).toBe(200)
      await expect.poll(async () => (await ask(values[1])).status).toBe(200)
      await setStreams(null)
    })

    test('money a month: the calls that are paid count, and then it is insufficient_quota, not to be tried again', async () => {
      const { value, token } = await gateway.serve(undefined, { monthlyBudgetUsd: 0.0001 })
      const ask = () => gateway.post('/v1/chat/completions', value, { model: 'x', messages: hello })
      const replies = [await ask(), await ask(), await ask()]
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 429])
      expect(replies[2]?.headers.get('x-should-retry')).toBe('false')
      expect(await replies[2]?.json()).toMatchObject({ error: { type: 'insufficient_quota' } })
      const url = `/api/tokens?chainId=${token.chainId}`
      const [listed] = (await gateway.request({ url, as: gateway.owner })).body as object[]
      // Each call is 11 tokens in and 7 out, at 1 and 10 dollars a million.
      expect(listed).toMatchObject({ calls: 2, inputTokens: 22, outputTokens: 14, monthCostUsd: 0.000162 })
    })
  })

  test('Chains that call this server go three levels deep at most (D40).', async () => {
    const { value } = await gateway.serve()
    const body = { model: 'x', messages: hello }
    const ask = (depth: number) =>
      gateway.post('/v1/chat/completions', value, body, { 'x-catenary-depth': `${depth}` })
    expect([(await ask(2)).status, (await ask(3)).status]).toEqual([200, 400])
    expect(gateway.fake.journal.map(({ headers }) => headers['x-catenary-depth'])).toEqual(['3'])
  })
})
