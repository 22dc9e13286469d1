import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type LocalServer, serveHttp } from '../apps/server/src/testing/local-server.ts'
import { makeStepTool } from '../apps/server/src/testing/step-tools.ts'
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
/** So many calls are taken, and get no answer. */
let broken = 0
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
    if (broken > 0) {
      broken -= 1
      return void response.destroy()
    }
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
  broken = 0
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

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'Where nobody knows whether a call happened, its runner is asked on the page: it is sent again, and then said to have happened. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    isOpen = true
    broken = 2
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Refund at once' })
    const tool = makeStepTool({
      url: `http://127.0.0.1:${shop.port}/v1/refunds`,
      body: { type: 'json', content: '{"amount": 49.90}' },
      answer: { as: 'json', schema: SCHEMA },
    })
    const call = { kind: 'tool', title: 'Book the refund', content: '', outputVariableName: 'refund', tool }
    const steps = `/api/chains/${id}/steps`
    await olga.post(steps, { ...call, position: 0 })
    const content = 'Say that {{refund.refund_id}} is {{refund.state}}'
    await olga.post(steps, { title: 'Answer', content, outputVariableName: 'mail', position: 1 })
    const page = await open(`/chains/${id}`)
    await runChain({ page, hand })
    const booking = cardOf(page, 'Book the refund')
    await booking.getByText(/Nobody knows whether the call happened/).waitFor()
    await page.getByRole('link', { name: /^Waiting for you/ }).waitFor()
    await expectCleanPage(page)
    await hand.press(booking.getByRole('button', { name: 'Send it again' }))
    await expect.poll(() => calls.length, PATIENCE).toBe(2)
    await hand.press(booking.getByRole('button', { name: 'Add the service’s answer' }))
    const field = booking.getByRole('textbox', { name: 'Answer of the service' })
    await field.waitFor()
    await page.keyboard.insertText('{"refund_id": "rf_99"}')
    await hand.press(booking.getByRole('button', { name: 'It happened' }))
    await booking.getByText(/does not match its schema/).waitFor()
    await expectCleanPage(page)
    await field.fill('{"refund_id": "rf_99", "state": "booked"}')
    await hand.press(booking.getByRole('button', { name: 'It happened' }))
    const result = page.getByRole('figure', { name: 'Last Execution Result' })
    await result.getByText('Your money comes back.').waitFor()
    expect(JSON.stringify(openai.journal.at(-1)?.body)).toContain('Say that rf_99 is booked')
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(calls).toHaveLength(2)
  },
  TIMEOUT_MS,
)

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'An owner seals a key: it goes out with the call, and what an editor changes of the call waits until the owner has allowed it. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    isOpen = true
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Sealed', sharedLevel: 'shared' })
    const page = await open(`/chains/${id}`)
    const builder = { page, hand }
    await beginStep(builder)
    await callService(builder, {
      title: 'Book the refund',
      output: 'refund',
      address: `http://127.0.0.1:${shop.port}/v1/refunds`,
      header: ['X-Team', 'support'],
      body: '{"amount": 1}',
    })
    await hand.press(page.getByRole('button', { name: 'Add header' }))
    await hand.write(page.getByRole('textbox', { name: 'Name of header 2' }), 'Authorization')
    await hand.press(page.getByRole('button', { name: 'Sealed: header 2' }))
    await hand.write(page.getByLabel('Value of header 2'), 'Bearer sk_sealed')
    await expectCleanPage(page)
    await saveStep(builder, 'Book the refund')
    const booking = cardOf(page, 'Book the refund')
    await booking.getByText('Acts with your credential').waitFor()
    await runChain(builder)
    await expect
      .poll(() => calls.map(({ headers }) => headers.authorization), PATIENCE)
      .toEqual(['Bearer sk_sealed'])

    const eve = createApi(server.url)
    const username = `eve_${id}`
    await eve.post('/api/register', {
      username,
      email: `${username}@example.org`,
      password: 'a bridge hangs by its own weight',
    })
    const shared = await olga.call('PUT', `/api/chains/${id}/shares`, [{ username, role: 'editor' }])
    expect(shared.status).toBe(200)
    const { steps } = await eve.get<{ steps: { id: number; tool: object }[] }>(`/api/chains/${id}`)
    const tool = { ...steps[0]?.tool, url: `http://127.0.0.1:${shop.port}/v1/gifts` }
    const changed = await eve.call('PATCH', `/api/chains/${id}/steps/${steps[0]?.id}`, { tool })
    expect(changed.status).toBe(200)
    expect(JSON.stringify(steps)).not.toContain('sk_sealed')

    await page.reload()
    await booking.getByRole('region', { name: 'Changed call' }).waitFor()
    await expectCleanPage(page)
    await runChain(builder)
    await booking.getByText(/waits for olga to allow it/).waitFor()
    expect(calls).toHaveLength(1)
    await hand.press(booking.getByRole('button', { name: 'Allow the call' }))
    await booking.getByRole('region', { name: 'Changed call' }).waitFor({ state: 'detached' })
    await hand.press(booking.getByRole('button', { name: 'Resume from here' }))
    await expect.poll(() => calls.map(({ url }) => url), PATIENCE).toEqual(['/v1/refunds', '/v1/gifts'])
    await expectCleanPage(page)
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
