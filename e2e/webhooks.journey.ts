import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, serveHttp } from '../apps/server/src/testing/local-server.ts'
import { verifyMessage } from '../apps/server/src/testing/verify-webhook.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'

let endpoint: LocalServer
let server: RunningServer
let olga: Api
let browser: OpenBrowser
const received: Parameters<typeof verifyMessage>[0][] = []
let status = 204

beforeAll(async () => {
  endpoint = await serveHttp(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    received.push({ raw, headers: request.headers as Record<string, string> })
    reply.statusCode = status
    reply.end(status === 204 ? '' : 'Not today')
  })
  server = await startServer({
    env: { LOG_LEVEL: 'warn', FETCH_ALLOW_HOSTS: `127.0.0.1:${endpoint.port}` },
  })
  olga = createApi(server.url)
  await olga.post('/api/register', { username: 'olga', email: 'olga@example.org', password: PASSWORD })
  browser = await openBrowser()
  await browser.context.addCookies(olga.cookies())
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await endpoint?.close()
})

test(
  'an endpoint: added, its secret shown once, told of a run and a label, failing, sent again, rotated, removed',
  async () => {
    showLogsOnFailure(server)
    const url = `http://127.0.0.1:${endpoint.port}/hook`
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/connect`)
    await page.getByText('No endpoint yet.').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add endpoint' })
    await form.getByLabel('Endpoint').fill(url)
    await form.getByRole('checkbox', { name: 'run completed' }).check()
    await form.getByRole('button', { name: /^Add Endpoint/ }).click()
    const secret = await page.getByLabel(/^Signing secret of/).inputValue()
    expect(secret).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(secret)

    const chain = await olga.post<{ id: number }>('/api/chains', { name: 'Weekly digest' })
    await olga.post(`/api/chains/${chain.id}/steps`, {
      content: 'Write.',
      outputVariableName: 'a',
      position: 0,
    })
    await olga.post(`/api/chains/${chain.id}/execute`, { input: 'a secret input' })
    await expect.poll(() => received.length, PATIENCE).toBe(1)
    const [told] = received
    expect(verifyMessage(told as never, secret)).toMatchObject({
      type: 'run.completed',
      data: { run: { chainId: chain.id, name: 'Weekly digest' } },
    })
    expect(told?.raw).not.toContain('secret input')
    await page
      .getByText(/^204 in \d+ ms$/)
      .filter({ visible: true })
      .waitFor()

    status = 503
    const label = `/api/chains/${chain.id}/labels/production`
    const { version } = await olga.get<{ version: number }>(`/api/chains/${chain.id}`)
    expect((await olga.call('PUT', label, { version, expectedVersion: null })).status).toBe(200)
    await page.getByText('503, try 1 of 8').filter({ visible: true }).waitFor({ timeout: 60_000 })
    await page.getByRole('list', { name: `Tries of label.moved #${chain.id}` }).waitFor()
    await page.getByText(/^Next try/).waitFor()
    status = 204
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.getByRole('img', { name: 'Last 2 deliveries: 2 delivered' }).first().waitFor()

    await page.getByRole('button', { name: url }).click()
    await page.getByRole('button', { name: `label.moved #${chain.id}`, exact: true }).click()
    await page.getByText('"label": "production"').waitFor()
    await page.getByRole('button', { name: `Send again: label.moved #${chain.id}` }).click()
    await expect.poll(() => received.length, PATIENCE).toBe(4)
    const ids = received.slice(1).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)

    await page.getByRole('button', { name: /^Rotate the secret of/ }).click()
    await page.getByRole('button', { name: 'Rotate Secret' }).click()
    const next = await page.getByLabel(/^Signing secret of/).inputValue()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^More: 127/ }).click()
    await page.getByRole('menuitem', { name: 'Send a test' }).click()
    await expect.poll(() => received.length, PATIENCE).toBe(5)
    const test = received[4]
    for (const each of [secret, next]) {
      expect(verifyMessage(test as never, each)).toMatchObject({
        type: 'webhook.test',
      })
    }

    await page.getByRole('button', { name: /^More: 127/ }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No endpoint yet.').waitFor()
  },
  TIMEOUT_MS,
)
