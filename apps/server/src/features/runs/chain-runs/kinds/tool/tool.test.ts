import type { ServerResponse } from 'node:http'
import type { Chain, RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../../../testing/database.ts'
import { type FakeService, startFakeService, toolStep } from '../../../../../testing/fake-service.ts'

const JSON_ANSWER = { as: 'json' }
const SCHEMA = {
  type: 'object',
  properties: { id: { type: 'number' } },
  required: ['id'],
  additionalProperties: true,
}
const hangUp = (reply: ServerResponse) => void reply.destroy()

describe.each(routeDatabaseKinds)('a step that calls a service, on %s', (kind) => {
  let service: FakeService
  let library: ChainLibrary
  beforeAll(async () => {
    service = await startFakeService()
    library = await startChainLibrary(kind, {}, { toolHosts: [service.host] })
    await library.app.start()
  })
  afterAll(async () => {
    await library.close()
    await service.close()
  })
  beforeEach(() => {
    library.fake.reset()
    service.reset()
  })

  const call = (tool: object = {}, fields: object = {}) =>
    toolStep({ url: `${service.url}/orders`, ...tool }, fields)
  const runOf = async (chain: Chain, body: object = {}) =>
    library.ended(await library.execute(chain.id, body))
  const resume = async (id: number) => {
    const url = `/api/executions/${id}/resume`
    const reply = await library.request({ method: 'POST', url, as: library.owner })
    expect(reply.status, reply.text).toBe(200)
    return library.ended(id)
  }
  const failure = ({ status, errorCode, error }: RunDetails) => ({ status, errorCode, error })

  test('A step calls a service with the values in their places, and later steps take fields of its answer.', async () => {
    await library.createVariable(library.owner, { name: 'shop', content: 'a/b' })
    const chain = await library.buildChain([
      call({
        url: `${service.url}/shops/$<shop>/orders?from={{input}}`,
        query: [{ name: 'dry run', value: 'no & {{input}}' }],
        headers: [{ name: 'X-Shop', value: 'shop $<shop>' }],
        body: { type: 'json', content: '{"text": "for {{input}}", "shop": "$<shop>"}' },
        answer: JSON_ANSWER,
      }),
      'Order {{a.order.id}} of {{a}}',
    ])
    service.answer({ status: 201, body: '{"order": {"id": 7}}' })
    library.fake.reply({ text: 'Done' })
    const run = await runOf(chain, { input: 'Eve "x"' })
    expect(run).toMatchObject({ status: 'completed', output: 'Done' })
    expect(service.calls).toMatchObject([
      {
        method: 'POST',
        url: '/shops/a%2Fb/orders?from=Eve%20%22x%22&dry%20run=no%20%26%20Eve%20%22x%22',
        headers: { 'x-shop': 'shop a/b', 'content-type': 'application/json' },
        body: '{"text": "for Eve \\"x\\"", "shop": "a/b"}',
      },
    ])
    expect(service.keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(library.sent()).toEqual(['Order 7 of {"order": {"id": 7}}'])
    const [step] = run.steps
    expect(step).toMatchObject({ status: 'completed', model: null, retries: 0 })
    expect(step?.inputContent).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/shops\/a%2Fb\/orders\?from=/)
    expect(step?.outputVariableValue).toBe('{"order": {"id": 7}}')
  })

  test('What a service answers is known as somebody else’s text by all that is made of it.', async () => {
    const chain = await library.buildChain([call(), 'Sum up {{a}}', 'Greet', 'Send {{b}}'])
    const run = await runOf(chain)
    expect(run.steps.map(({ fromOutside }) => fromOutside)).toEqual([undefined, ['a'], undefined, ['b']])
  })

  test.each([
    [
      'refuses',
      { status: 422, body: '{"error": "no such order"}' },
      /refused the call \(status 422\): \{"error": "no such order"\}/,
    ],
    [
      'sends elsewhere',
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      /sent the call on to another address/,
    ],
    ['gives no JSON', { body: '<html>' }, /answer is not JSON/],
    ['gives other JSON', { body: '{"id": "seven"}' }, /does not match its schema: .*id/],
    ['gives an image', { headers: { 'content-type': 'image/png' } }, /image\/png/],
    ['gives too much', { body: JSON.stringify('x'.repeat(1_100_000)) }, /too (large|long)|1 MiB|1 MB/],
  ])('A run fails with a sentence where the service %s.', async (_, answer, sentence) => {
    const chain = await library.buildChain([
      call({ answer: { ...JSON_ANSWER, schema: SCHEMA } }),
      'Then {{a}}',
    ])
    service.answer(answer)
    const run = await runOf(chain)
    expect(failure(run)).toEqual({
      status: 'failed',
      errorCode: 'tool_failed',
      error: expect.stringMatching(sentence),
    })
    expect(service.calls).toHaveLength(1)
    expect(library.sent()).toEqual([])
    service.answer({ body: '{"id": 7}' })
    library.fake.reply({ text: 'ok' })
    expect(await resume(run.id)).toMatchObject({ status: 'completed' })
    expect(new Set(service.keys()).size).toBe(2)
  })

  test('A call that is safe to repeat is sent again with the same key, after what the service asks to wait.', async () => {
    const chain = await library.buildChain([call({ safeToRepeat: true })])
    service.answer(hangUp, { status: 429, headers: { 'retry-after': '1' } })
    const run = await runOf(chain)
    expect(run).toMatchObject({ status: 'completed' })
    expect(service.calls).toHaveLength(3)
    expect(new Set(service.keys()).size).toBe(1)
    service.answerByDefault(() => ({ status: 503 }))
    service.calls.length = 0
    expect(failure(await runOf(chain))).toMatchObject({ errorCode: 'tool_failed' })
    expect(service.calls).toHaveLength(3)
  })

  test('A service that refuses to be called again at once is not called again, where the call is not safe to repeat.', async () => {
    const chain = await library.buildChain([call()])
    service.answer({ status: 503 })
    expect(failure(await runOf(chain))).toMatchObject({ errorCode: 'tool_failed' })
    expect(service.calls).toHaveLength(1)
  })

  test('A step may call for each item of a list; only items that failed are called again.', async () => {
    const chain = await library.buildChain([
      call(
        {
          url: `${service.url}/orders/{{item}}`,
          method: 'DELETE',
          answer: JSON_ANSWER,
        },
        { forEach: { list: 'input', as: 'item', max: 5, atOnce: 2, onFailure: 'leave_out', result: 'json' } },
      ),
    ])
    service.answerByDefault(({ url }) =>
      url === '/orders/B' ? { status: 409 } : { body: JSON.stringify(url) },
    )
    const run = await runOf(chain, { input: 'A\nB\nC' })
    expect(run).toMatchObject({ status: 'completed', output: '["/orders/A","/orders/C"]' })
    expect(run.steps[0]?.items?.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
    service.answerByDefault(({ url }) => ({ body: JSON.stringify(url) }))
    service.calls.length = 0
    const url = `/api/executions/${run.id}/steps/0/retry-items`
    expect((await library.request({ method: 'POST', url, as: library.owner })).status).toBe(200)
    expect(await library.ended(run.id)).toMatchObject({ output: '["/orders/A","/orders/B","/orders/C"]' })
    expect(service.calls.map((each) => each.url)).toEqual(['/orders/B'])
  })

  test('A condition skips a call, and a step that may fail goes on without its answer.', async () => {
    const chain = await library.buildChain([
      call({}, { onlyIf: { all: [{ ref: 'input', op: 'is', value: 'yes' }] }, default: '{}' }),
      call({}, { ifItFails: 'go_on' }),
      'Say {{a}}{{b}}',
    ])
    service.answer({ status: 500 })
    const run = await runOf(chain, { input: 'no' })
    expect(run.steps.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'completed'])
    expect(service.calls).toHaveLength(1)
    expect(library.sent()).toEqual(['Say {}'])
  })

  test.each(['http://127.0.0.1:1/', 'https://example.org/', 'http://169.254.169.254/latest'])(
    'Only the hosts of TOOL_HOSTS are called, and so not %s',
    async (url) => {
      const run = await runOf(await library.buildChain([call({ url })]))
      expect(failure(run)).toMatchObject({
        errorCode: 'tool_failed',
        error: expect.stringContaining('not allowed'),
      })
    },
  )

  test('A value never leaves its place in the address: dots are refused before anything is sent.', async () => {
    const chain = await library.buildChain([call({ url: `${service.url}/orders/{{input}}/refunds` })])
    for (const input of ['..', '.']) {
      const run = await runOf(chain, { input })
      expect(failure(run)).toMatchObject({ status: 'failed', errorCode: 'tool_failed' })
    }
    expect(service.calls).toEqual([])
    await runOf(chain, { input: '../../admin?x=1#y' })
    expect(service.calls.map(({ url }) => url)).toEqual(['/orders/..%2F..%2Fadmin%3Fx%3D1%23y/refunds'])
  })

  test.each([
    ['tool.url', { url: 'https://{{input}}/' }],
    ['tool.url', { url: 'ftp://example.org/' }],
    ['tool.headers.0.name', { headers: [{ name: 'a b', value: '' }] }],
    [
      'tool.headers.1.name',
      {
        headers: [
          { name: 'A', value: '' },
          { name: 'a', value: '' },
        ],
      },
    ],
    ['tool.headers.0.name', { headers: [{ name: 'Host', value: 'example.org' }] }],
    ['tool.headers.0.name', { headers: [{ name: 'content-Length', value: '7' }] }],
    ['tool.headers.0.name', { headers: [{ name: 'Proxy-Authorization', value: 'x' }] }],
    [
      'tool.headers.1.name',
      {
        headers: [
          { name: 'A', value: '' },
          { name: 'idempotency-key', value: 'mine' },
        ],
      },
    ],
    ['tool.body', { body: { type: 'json', content: '{{{input}}: 1}' } }],
    ['tool.body', { method: 'GET', body: { type: 'text', content: 'x' } }],
  ])('A step whose %s is wrong whatever its values are is not saved: %j', async (path, tool) => {
    const { id } = await library.createChain(library.owner)
    const body = { ...call(tool), outputVariableName: 'a' }
    const reply = await library.request({
      method: 'POST',
      url: `/api/chains/${id}/steps`,
      body,
      as: library.owner,
    })
    expect(reply.status).toBe(400)
    expect((reply.body as { details: { path: string }[] }).details[0]?.path).toBe(path)
  })

  test('A renamed variable gets its new name in address, query, headers and body of a call.', async () => {
    const made = await library.createVariable(library.owner, { name: 'key_one', content: 's3cret' })
    const chain = await library.buildChain([
      call({
        url: `${service.url}/$<key_one>`,
        query: [{ name: 'q', value: '$<key_one>' }],
        headers: [{ name: 'Authorization', value: 'Bearer $<key_one>' }],
        body: { type: 'text', content: 'of $<key_one>' },
      }),
    ])
    const url = `/api/variables/${made.id}`
    const reply = await library.request({
      method: 'PATCH',
      url,
      body: { name: 'key_two', type: 'text', content: 's3cret', renameReferences: true },
      as: library.owner,
    })
    expect(reply.status, reply.text).toBe(200)
    const { steps } = (await library.request({ url: `/api/chains/${chain.id}`, as: library.owner }))
      .body as Chain
    expect(JSON.stringify(steps[0]?.tool).match(/key_\w+/g)).toEqual([
      'key_two',
      'key_two',
      'key_two',
      'key_two',
    ])
    await runOf({ ...chain, steps })
    expect(service.calls).toMatchObject([
      { url: '/s3cret?q=s3cret', headers: { authorization: 'Bearer s3cret' }, body: 'of s3cret' },
    ])
  })
})
