import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type LocalServer, serveHttp } from '../apps/server/src/testing/local-server.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import {
  beginStep,
  callService,
  cardOf,
  runChain,
  saveStep,
  setSchema,
  writeStep,
} from './harness/chain-builder.ts'
import { expectCleanPage, keys, mouse } from './harness/hands.ts'
import { PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const SCHEMA = {
  type: 'object',
  properties: { refund_id: { type: 'string' }, state: { type: 'string' } },
  required: ['refund_id', 'state'],
  additionalProperties: false,
}

interface Call {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

let openai: FakeProvider
let shop: LocalServer
const calls: Call[] = []
/** Whether the shop books refunds of the order. */
let isOpen = false
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault(({ body }) => ({
    text: JSON.stringify(body).includes('Which order') ? 'A/20418' : 'Your money comes back.',
  }))
  shop = await serveHttp(async (request, response) => {
    const { method, url, headers } = request
    calls.push({ method, url, headers, body: await text(request) })
    const [status, reply] = isOpen
      ? [201, { refund_id: 'rf_88', state: 'booked' }]
      : [422, { error: 'The order is closed' }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  server = await startServer({
    env: {
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: openai.url,
      TOOL_HOSTS: `127.0.0.1:${shop.port}`,
      LOG_LEVEL: 'warn',
    },
  })
  olga = createApi(server.url)
  await olga.post('/api/register', {
    username: 'olga',
    email: 'olga@example.org',
    password: 'a bridge hangs by its own weight',
  })
  await olga.post('/api/variables', { type: 'text', name: 'shop_key', content: 'sk_42' })
  browser = await openBrowser()
}, TIMEOUT_MS)
beforeEach(() => {
  isOpen = false
  calls.length = 0
  openai.journal.length = 0
})
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await shop?.close()
  await openai?.close()
})

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'A chain that books a refund with a service is built and run: it shows why the service refused, goes on once the service is mended, and takes a field of its answer. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Refund by mail' })
    const page = await open(`/chains/${id}`)
    const builder = { page, hand }
    await beginStep(builder)
    await writeStep(builder, { title: 'Read the mail', output: 'order', content: 'Which order is it?' })
    await saveStep(builder, 'Read the mail')

    await beginStep(builder)
    await callService(builder, {
      title: 'Book the refund',
      output: 'refund',
      address: `http://127.0.0.1:${shop.port}/v1/orders/{{order}}/refunds`,
      header: ['Authorization', 'Bearer $<shop_key>'],
      body: '{"amount": 49.90, "order": "{{order}}"}',
    })
    await setSchema(builder, SCHEMA)
    await expectCleanPage(page)
    await saveStep(builder, 'Book the refund')
    const booking = cardOf(page, 'Book the refund')
    await booking.getByText('{{order}}').first().waitFor()

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Answer the mail',
      output: 'mail',
      content: 'Say that {{refund.refund_id}} is {{refund.state}}',
    })
    await saveStep(builder, 'Answer the mail')
    await expectCleanPage(page)

    await runChain(builder)
    await booking.getByText(/^The service refused the call \(status 422\): .*The order is closed/).waitFor()
    await expectCleanPage(page)
    await hand.press(booking.getByRole('button', { name: 'Rendered input' }))
    await booking.getByRole('figure', { name: 'Rendered input' }).getByText('A%2F20418').first().waitFor()

    isOpen = true
    await hand.press(booking.getByRole('button', { name: 'Resume from here' }))
    const result = page.getByRole('figure', { name: 'Last Execution Result' })
    await result.getByText('Your money comes back.').waitFor()
    await expect
      .poll(() => openai.journal.map(({ body }) => JSON.stringify(body)).at(-1), PATIENCE)
      .toContain('Say that rf_88 is booked')
    await hand.press(booking.getByRole('button', { name: /^done/ }))
    await booking.getByRole('figure', { name: 'Output' }).getByText('rf_88').first().waitFor()
    await expectCleanPage(page)

    const sent = { amount: 49.9, order: 'A/20418' }
    expect(calls.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['POST', '/v1/orders/A%2F20418/refunds', sent],
      ['POST', '/v1/orders/A%2F20418/refunds', sent],
    ])
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk_42', 'Bearer sk_42'])
    expect(calls.every(({ headers }) => headers['idempotency-key'] !== undefined)).toBe(true)
  },
  TIMEOUT_MS,
)

async function open(path: string): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(olga.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}
