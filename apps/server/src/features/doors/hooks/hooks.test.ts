import { createHmac, randomUUID } from 'node:crypto'
import type { Chain, CreatedOwnToken, HookDelivery, OwnTokenDetails, RunDetails } from '@catenary/contracts'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiTokens, hookDeliveries, runs } from '../../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const ISSUE =
  '{"action": "opened", "issue": {"number": 1482, "labels": [{"name": "bug"}], "title": "No \\"sign-in\\""}}'
const JSON_TYPE = { 'content-type': 'application/json' }
const SECRET = 'It’s a Secret to Everybody'
const hmac = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body)

describe.each(routeDatabaseKinds)('a chain’s own address, on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind)
  })
  afterAll(() => gateway.close())
  beforeEach(() => {
    gateway.fake.reset()
    gateway.fake.replyByDefault({ text: 'Done' })
  })

  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    as = gateway.owner,
  ) => gateway.request({ method, url, body, as })
  const makeHook = async (chain: Chain, fields: object = {}, as?: TestUser) => {
    const body = { name: 'GitHub', scopes: [`chain:${chain.id}`, 'hook'], ...fields }
    const reply = await send('POST', '/api/own-tokens', body, as)
    expect(reply.status, reply.text).toBe(201)
    return reply.body as CreatedOwnToken
  }
  const serve = async (steps: (string | object)[] = ['{{input}}'], fields: object = {}) => {
    const chain = await gateway.buildChain(steps)
    return { chain, hook: await makeHook(chain, fields) }
  }
  const call = (
    token: string,
    body: string | Buffer = 'Hi',
    headers: Record<string, string> = { 'content-type': 'text/plain' },
  ) =>
    fetch(`${gateway.address}/hooks/${token}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers,
    })
  const started = async (reply: Response): Promise<number> => {
    const text = await reply.text()
    expect(reply.status, text).toBe(202)
    return (JSON.parse(text) as { executionId: number }).executionId
  }
  const deliveriesOf = async (id: number) =>
    (await send('GET', `/api/own-tokens/${id}/deliveries`)).body as HookDelivery[]
  const refusal = async (reply: Response) => [reply.status, ((await reply.json()) as { error: string }).error]
  const runsOf = (id: number) =>
    gateway.db.select({ id: runs.id }).from(runs).where(eq(runs.apiTokenId, id)).orderBy(asc(runs.id))

  test('A POST to a chain’s own address starts the chain and is answered at once; fields of JSON are references by dots.', async () => {
    const { chain, hook } = await serve([
      'Sort {{input.issue.number}}, {{input.issue.labels.0.name}}: {{input.issue.title}}',
      {
        content: 'Answer {{a}} for {{input.action}}',
        onlyIf: { all: [{ ref: 'input.action', op: 'is', value: 'opened' }] },
      },
      { content: 'Closed', onlyIf: { all: [{ ref: 'input.action', op: 'is', value: 'closed' }] } },
      { content: 'Label {{item.name}}', forEach: { list: 'input.issue.labels' } },
    ])
    expect(hook).toMatchObject({
      tokenType: 'hook',
      token: expect.stringMatching(/^cth_/),
      chainId: chain.id,
    })
    const release = Promise.withResolvers<void>()
    gateway.fake.reply({ text: 'Sorted', before: () => release.promise })
    const id = await started(await call(hook.token, ISSUE, JSON_TYPE))
    release.resolve()
    const run = await gateway.ended(id)
    expect(run).toMatchObject({
      status: 'completed',
      trigger: 'token',
      input: ISSUE,
      token: { id: hook.id },
    })
    expect(run.steps.map(({ status, inputContent }) => [status, inputContent])).toEqual([
      ['completed', 'Sort 1482, bug: No "sign-in"'],
      ['completed', 'Answer Sorted for opened'],
      ['skipped', null],
      ['completed', null],
    ])
    expect(JSON.stringify(gateway.fake.journal.at(-1)?.body)).toContain('Label bug')
    expect(run.steps[0]?.fromOutside).toEqual(['input'])
    expect(run.steps[1]?.fromOutside?.toSorted()).toEqual(['a', 'input'])
  })

  test('A form has its fields, a text is the input, and a field that is not there stops the run.', async () => {
    const { hook } = await serve(['{{input.from}} says {{input.tag.1}}'])
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const first = await gateway.ended(
      await started(await call(hook.token, 'from=Ana+Ruiz&tag=a&tag=%C3%A9', form)),
    )
    expect(first.steps[0]?.inputContent).toBe('Ana Ruiz says é')
    const second = await gateway.ended(await started(await call(hook.token, 'Just a text')))
    expect(second).toMatchObject({
      status: 'failed',
      error: '{{input.from}} has no value: the input has no from',
    })
  })

  test('A delivery that comes again within seven days runs once, also where both come at the same time.', async () => {
    const { hook } = await serve()
    const named = { ...JSON_TYPE, 'x-github-delivery': randomUUID() }
    const replies = await Promise.all(Array.from({ length: 6 }, () => call(hook.token, ISSUE, named)))
    const ids = await Promise.all(replies.map(started))
    expect(new Set(ids).size).toBe(1)
    expect(
      await started(await call(hook.token, 'another body', { ...named, 'content-type': 'text/plain' })),
    ).toBe(ids[0])
    expect(await runsOf(hook.id)).toHaveLength(1)
    expect(await deliveriesOf(hook.id)).toMatchObject([
      {
        status: 202,
        deliveryId: named['x-github-delivery'],
        executionId: ids[0],
        repeats: 6,
        address: '127.0.0.1',
        reason: null,
      },
    ])
    const ago = sql`now() - interval '7 days 1 second'`
    await gateway.db
      .update(hookDeliveries)
      .set({ createdAt: ago })
      .where(eq(hookDeliveries.apiTokenId, hook.id))
    const later = await started(await call(hook.token, ISSUE, named))
    expect(later).not.toBe(ids[0])
    expect(await started(await call(hook.token, ISSUE, named))).toBe(later)
    expect(await started(await call(hook.token, ISSUE, { ...named, 'webhook-id': 'msg_1' }))).not.toBe(later)
  })

  test('A delivery whose run can’t be recorded is not known: when it comes again, it runs.', async () => {
    const { chain, hook } = await serve()
    const named = { 'webhook-id': 'msg_2', 'content-type': 'text/plain' }
    await gateway.db.execute(
      sql`create function refuse_run() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    )
    await gateway.db.execute(
      sql.raw(
        `create trigger refuse_run before insert on executions for each row when (new.chain_id = ${chain.id}) execute function refuse_run()`,
      ),
    )
    expect((await call(hook.token, 'Hi', named)).status).toBe(500)
    await gateway.db.execute(sql`drop trigger refuse_run on executions`)
    const id = await started(await call(hook.token, 'Hi', named))
    expect((await gateway.ended(id)).status).toBe('completed')
    expect((await deliveriesOf(hook.id)).map(({ status, repeats }) => [status, repeats])).toEqual([
      [202, 0],
      [500, 0],
    ])
  })

  describe('signatures', () => {
    const signed = async (form: string, fields: object = {}) =>
      (await serve(undefined, { signature: { form, secret: SECRET, ...fields } })).hook
    const time = (ago: number) => `${Math.floor(Date.now() / 1000) - ago}`
    const stripe = (t: string, secret = SECRET) =>
      `t=${t},v0=00,v1=${hmac(`${t}.${ISSUE}`, secret).digest('hex')}`

    test('An address that has a secret starts nothing without the right signature over the bytes as they came.', async () => {
      const cases: [string, string, Record<string, string>, number][] = [
        ['github', 'x-hub-signature-256', { right: `sha256=${hmac(ISSUE).digest('hex')}` }, 202],
        [
          'github',
          'x-hub-signature-256',
          {
            bare: hmac(ISSUE).digest('hex'),
            other: `sha256=${hmac(ISSUE, 'no').digest('hex')}`,
            short: 'sha256=00',
          },
          401,
        ],
        ['stripe', 'stripe-signature', { right: stripe(time(290)), ahead: stripe(time(-290)) }, 202],
        [
          'stripe',
          'stripe-signature',
          { old: stripe(time(310)), ahead: stripe(time(-310)), other: stripe(time(0), 'no'), none: 't=1' },
          401,
        ],
        [
          'plain',
          'x-signature',
          { hex: hmac(ISSUE).digest('hex'), base64: hmac(ISSUE).digest('base64') },
          202,
        ],
        ['plain', 'x-signature', { other: hmac(`${ISSUE} `).digest('hex') }, 401],
      ]
      for (const [form, header, values, status] of cases) {
        const hook = await signed(form)
        for (const [name, value] of Object.entries(values)) {
          const reply = await call(hook.token, ISSUE, { ...JSON_TYPE, [header]: value })
          expect([form, name, reply.status]).toEqual([form, name, status])
        }
        expect((await call(hook.token, ISSUE, JSON_TYPE)).status).toBe(401)
        const accepted = status === 202 ? Object.keys(values).length : 0
        expect(await runsOf(hook.id)).toHaveLength(accepted)
      }
      const named = await signed('plain', { header: 'X-Portal-Sign' })
      expect(
        (
          await call(named.token, 'Hi', {
            'x-portal-sign': hmac('Hi').digest('hex'),
            'content-type': 'text/plain',
          })
        ).status,
      ).toBe(202)
    })

    test('A refused call is listed with its reason, and its id stays free for the right one.', async () => {
      const hook = await signed('github')
      const named = { ...JSON_TYPE, 'x-github-delivery': 'd-1' }
      expect(await refusal(await call(hook.token, ISSUE, named))).toEqual([401, 'The signature is missing'])
      const bad = { ...named, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
      expect(await refusal(await call(hook.token, ISSUE, bad))).toEqual([401, 'The signature is wrong'])
      await started(
        await call(hook.token, ISSUE, {
          ...named,
          'x-hub-signature-256': `sha256=${hmac(ISSUE).digest('hex')}`,
        }),
      )
      expect(
        (await deliveriesOf(hook.id)).map(({ status, reason, deliveryId }) => [status, reason, deliveryId]),
      ).toEqual([
        [202, null, 'd-1'],
        [401, 'The signature is wrong', 'd-1'],
        [401, 'The signature is missing', 'd-1'],
      ])
      const details = (await send('GET', `/api/own-tokens/${hook.id}`)).body as OwnTokenDetails
      expect(details.lastError).toMatchObject({ message: 'The signature is wrong' })
    })

    test('The secret is sealed, in no reply, and kept where a change sends none.', async () => {
      const hook = await signed('github', { header: 'X-Sign' })
      expect(JSON.stringify(hook)).not.toContain(SECRET)
      expect(hook.signature).toEqual({ form: 'github', header: 'X-Sign', setAt: expect.any(String) })
      const sealedOf = async () => {
        const [row] = await gateway.db.select().from(apiTokens).where(eq(apiTokens.id, hook.id))
        return row?.sealedSecret
      }
      const sealed = await sealedOf()
      expect(sealed).toBeTruthy()
      expect(sealed).not.toContain(SECRET)
      const change = (body: object) => send('PATCH', `/api/own-tokens/${hook.id}`, body)
      expect((await change({ signature: { form: 'plain' }, deliveryHeader: 'X-Ticket' })).body).toMatchObject(
        {
          signature: { form: 'plain', header: 'X-Signature', setAt: hook.signature?.setAt },
          deliveryHeader: 'X-Ticket',
        },
      )
      expect(await sealedOf()).toBe(sealed)
      expect((await change({ signature: null })).body).toMatchObject({ signature: null })
      expect(await sealedOf()).toBeNull()
      expect((await change({ signature: { form: 'plain' } })).status).toBe(400)
      await started(await call(hook.token))
    })
  })

  test('An address opens nothing else, and no other token opens one; nobody learns why an address is none.', async () => {
    const { chain, hook } = await serve()
    const { token: chainToken } = await gateway.createToken(chain.id)
    const expired = await makeHook(chain, { expiresAt: new Date(Date.now() - 1_000).toISOString() })
    const ended = await makeHook(chain)
    await send('DELETE', `/api/own-tokens/${ended.id}`)
    const unknown = [401, 'There is no such address: it was mistyped, changed or deleted.']
    for (const value of [chainToken, expired.token, ended.token, 'x', `cth_${'a'.repeat(46)}`])
      expect(await refusal(await call(value))).toEqual(unknown)
    // Its person does.
    expect(await deliveriesOf(expired.id)).toMatchObject([
      { status: 401, reason: 'This token has expired.', executionId: null },
    ])
    const messages = [{ role: 'user', content: 'Hi' }]
    const statuses = [
      (await gateway.post('/v1/chat/completions', hook.token, { model: `chain-${chain.id}`, messages }))
        .status,
      (await gateway.get('/v1/models', hook.token)).status,
      (await gateway.post('/mcp', hook.token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }))
        .status,
      (await gateway.get('/api/folder', hook.token)).status,
      (await gateway.get('/api/public/v2/prompts', hook.token)).status,
      (await gateway.get('/api/own-tokens', hook.token)).status,
    ]
    expect(statuses).toEqual([403, 403, 403, 403, 403, 401])
    for (const scopes of [['chains', 'hook'], [`chain:${chain.id}`, 'hook', 'run'], ['hook']])
      expect((await send('POST', '/api/own-tokens', { name: 'No', scopes })).status).toBe(400)
    const fields = { name: 'No', scopes: [`chain:${chain.id}`, 'run'], deliveryHeader: 'X-Id' }
    expect((await send('POST', '/api/own-tokens', fields)).status).toBe(400)
    expect(await runsOf(hook.id)).toEqual([])
  })

  test('Who calls is known before the body is read; to open an address starts nothing.', async () => {
    const { hook } = await serve()
    const big = Buffer.alloc(1_100_000, 'x')
    expect((await call(`cth_${'a'.repeat(46)}`, big)).status).toBe(401)
    expect((await call(hook.token, big)).status).toBe(413)
    const opened = await fetch(`${gateway.address}/hooks/${hook.token}`)
    expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'POST'])
    const more: [string, Record<string, string>, number][] = [
      ['{', JSON_TYPE, 400],
      ['a\0b', { 'content-type': 'text/plain' }, 400],
      ['"\\u0000"', JSON_TYPE, 400],
      ['<a/>', { 'content-type': 'application/xml' }, 415],
      ['x', { 'content-type': 'text/plain', 'x-github-delivery': 'x'.repeat(256) }, 400],
      ['x', { 'content-type': 'text/plain', 'x-catenary-depth': '3' }, 400],
    ]
    for (const [body, headers, status] of more)
      expect([body, (await call(hook.token, body, headers)).status]).toEqual([body, status])
    expect((await call(hook.token, Buffer.from([0xff, 0xfe]))).status).toBe(400)
    expect((await deliveriesOf(hook.id)).map(({ status }) => status)).toEqual([
      400, 400, 400, 415, 400, 400, 400, 413,
    ])
    await started(await call(hook.token, `"${'x'.repeat(1_048_000)}"`, JSON_TYPE))
  })

  test('The limits of a token, its person and its chain hold: requests, budget, a disabled account, a chain that is gone.', async () => {
    const { hook } = await serve(undefined, { requestsPerMinute: 1 })
    const named = { 'content-type': 'text/plain', 'webhook-id': 'first' }
    const first = await started(await call(hook.token, 'Hi', named))
    const refused = await call(hook.token)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    // What was begun already costs nothing.
    expect(await started(await call(hook.token, 'Hi', named))).toBe(first)

    const poor = await serve(undefined, { monthlyBudgetUsd: 0 })
    expect((await call(poor.hook.token)).status).toBe(429)

    const person = await gateway.registerUser()
    const theirs = await makeHook(await gateway.buildChain(['{{input}}'], { as: person }), {}, person)
    await send('PATCH', `/api/admin/users/${person.user.id}`, { disabled: true }, gateway.admin)
    expect((await call(theirs.token)).status).toBe(401)

    const shared = await gateway.buildChain(['{{input}}'], { sharedLevel: 'shared' })
    const share = (body: object[]) =>
      gateway.request({ method: 'PUT', url: `/api/chains/${shared.id}/shares`, as: gateway.owner, body })
    await share([{ username: 'Oskar', role: 'editor' }])
    const editors = await makeHook(shared, {}, gateway.other)
    await started(await call(editors.token))
    await share([])
    expect((await call(editors.token)).status).toBe(404)

    const { chain, hook: last } = await serve()
    await started(await call(last.token))
    await send('DELETE', `/api/chains/${chain.id}`)
    expect((await call(last.token)).status).toBe(401)
    expect(
      await gateway.db.select().from(hookDeliveries).where(eq(hookDeliveries.apiTokenId, last.id)),
    ).toEqual([])
  })

  test('Deliveries are their token’s person’s; editors of the chain see and end an address, and never its value.', async () => {
    const { chain, hook } = await serve()
    expect(
      (await send('GET', `/api/own-tokens/${hook.id}/deliveries`, undefined, gateway.other)).status,
    ).toBe(404)
    const listed = await send('GET', `/api/tokens?chainId=${chain.id}`)
    expect(listed.body).toMatchObject([{ id: hook.id, tokenType: 'hook', token: hook.token.slice(0, 8) }])
    expect(listed.text).not.toContain(hook.token)
    const rotated = (await send('POST', `/api/tokens/${hook.id}/rotate`)).body as CreatedOwnToken
    expect(rotated).toMatchObject({ tokenType: 'hook', signature: null })
    expect([(await call(hook.token)).status, (await call(rotated.token)).status]).toEqual([401, 202])
  })

  test('A private value goes into another’s text by consent alone; a later name stops the run and names it (D69).', async () => {
    await gateway.createVariable(gateway.owner, { name: 'on_call', content: 'Private-Ana' })
    const others = await gateway.buildChain(['{{input}} for $<on_call>'], {
      as: gateway.other,
      sharedLevel: 'shared',
    })
    const share = [{ username: gateway.owner.user.username, role: 'editor' }]
    await gateway.request({
      method: 'PUT',
      url: `/api/chains/${others.id}/shares`,
      as: gateway.other,
      body: share,
    })
    const fill = { kind: 'chain', id: others.id, name: 'on_call' }
    const allowed = await makeHook(others, { fills: [fill] })
    const withheld = await makeHook(others, { fills: [] })
    const run = async ({ token }: CreatedOwnToken): Promise<RunDetails> =>
      gateway.ended(await started(await call(token)))
    expect((await run(allowed)).steps[0]?.inputContent).toBe('Hi for Private-Ana')
    expect(await run(withheld)).toMatchObject({ status: 'failed', errorCode: 'private_values' })
  })
})
