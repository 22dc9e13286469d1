import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'
const SECRET = 'Ada Lovelace, 4711-0815'

let claude: FakeProvider
let openai: FakeProvider
let server: RunningServer
let olga: Api
let ines: Api
let vera: Api
let browser: OpenBrowser

beforeAll(async () => {
  claude = await startFakeProvider({ vendor: 'anthropic' })
  openai = await startFakeProvider({ vendor: 'openai' })
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: claude.url, OPENAI_API_KEY: 'key' }
  server = await startServer({ env: { ...env, OPENAI_BASE_URL: openai.url, LOG_LEVEL: 'warn' } })
  // The first account is admin.
  olga = await register('olga')
  ines = await register('ines')
  vera = await register('vera')
  browser = await openBrowser()
}, TIMEOUT_MS)
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
  claude.reset()
  openai.reset()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await claude?.close()
  await openai?.close()
})

test(
  'a chain that failed says so on its card and as it is opened, and goes on with another model',
  async () => {
    showLogsOnFailure(server)
    const id = await build({ name: 'Letter', last: 'openai' })
    openai.replyByDefault({ status: 401 })
    const run = await olga.post<{ id: number }>(`/api/chains/${id}/execute`, {})
    await ended(olga, run.id)

    const page = await open({ as: olga, path: '/chains' })
    await page
      .getByRole('article', { name: 'Letter' })
      .getByText(/^failed/)
      .waitFor()
    await page.getByRole('link', { name: 'Letter', exact: true }).click()
    const write = page.getByRole('article', { name: 'Write', exact: true })
    await write.getByText(/was refused \(401\)/).waitFor()
    const aside = page.getByRole('complementary', { name: 'Runs' })
    await aside.getByText('failed', { exact: true }).waitFor()
    expect(await aside.getByText(/was refused/).count(), 'said once').toBe(0)
    await page
      .getByRole('article', { name: 'Collect', exact: true })
      .getByText(/^Fake anthropic/)
      .waitFor()
    await write.getByRole('button', { name: 'Open models' }).waitFor()
    await write.getByRole('button', { name: 'Try with Claude' }).click()
    await write.getByText(/^done/).waitFor()
    expect(claude.journal).toHaveLength(2)
  },
  TIMEOUT_MS,
)

test(
  'a run that used a private value shows the chain’s owner its metrics, and its texts once it is shared',
  async () => {
    showLogsOnFailure(server)
    await vera.post('/api/variables', { type: 'text', name: 'client', content: SECRET })
    const id = await build({
      name: 'Answers',
      last: 'claude',
      content: 'Dear $<client>, {{collected}}',
      as: ines,
    })
    await ines.call('PATCH', `/api/chains/${id}`, { sharedLevel: 'shared' })
    await ines.call('PUT', `/api/chains/${id}/shares`, [{ username: 'vera', role: 'viewer' }])

    const starter = await open({ as: vera, path: `/chains/${id}` })
    await starter.getByText(/^ines and this chain’s editors can see your runs/).waitFor()
    await starter.getByRole('button', { name: /^Execute Chain/ }).click()
    const form = starter.getByRole('dialog', { name: 'Execute Chain' })
    await form.getByText(/^Yours, private: client\./).waitFor()
    await form.getByRole('button', { name: /^Execute Chain/ }).click()
    const own = starter.getByRole('article', { name: 'Write', exact: true })
    await own.getByRole('button', { name: /^done/ }).click()
    await own.getByRole('button', { name: 'Rendered input' }).click()
    await own.getByText(SECRET).first().waitFor()
    const address = starter.url()

    const owner = await open({ as: ines, path: new URL(address).pathname + new URL(address).search })
    await owner.getByText('Uses private values: only vera sees more.', { exact: true }).first().waitFor()
    expect(await owner.content()).not.toContain('Lovelace')

    await owner.getByRole('button', { name: 'Edit chain' }).click()
    await owner.getByRole('switch', { name: /^You and editors can see other people’s runs/ }).click()
    await owner.keyboard.press('Control+Enter')
    await owner.getByText('Chain updated', { exact: true }).first().waitFor()
    const run = new URL(address).searchParams.get('run')
    expect((await ines.call('GET', `/api/executions/${run}`)).status).toBe(404)
    expect((await vera.call('GET', `/api/executions/${run}`)).body).toMatchObject({ sight: 'own' })

    const sharer = await open({ as: vera, path: `/chains/${id}` })
    await sharer.getByRole('button', { name: 'Show Execution History' }).click()
    await sharer.getByRole('button', { name: `More: Execution #${run}` }).click()
    await sharer.getByRole('menuitem', { name: 'Share this run' }).click()
    await sharer.getByText('Shared with everyone who sees the chain').first().waitFor()
    const reader = await open({ as: ines, path: new URL(address).pathname + new URL(address).search })
    await reader.getByText('Shared by vera.').first().waitFor()
    const shown = reader.getByRole('article', { name: 'Write', exact: true })
    await shown.getByRole('button', { name: /^done/ }).click()
    await shown.getByRole('button', { name: 'Rendered input' }).click()
    await shown.getByText(SECRET).first().waitFor()
  },
  TIMEOUT_MS,
)

async function register(username: string): Promise<Api> {
  const api = createApi(server.url)
  await api.post('/api/register', { username, email: `${username}@example.org`, password: PASSWORD })
  return api
}

async function open({ as, path }: { as: Api; path: string }): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(as.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}

/** Two steps; the second uses the given model. */
async function build({
  name,
  last,
  content = 'Write: {{collected}}',
  as = olga,
}: {
  name: string
  last: string
  content?: string
  as?: Api
}) {
  const { id } = await as.post<{ id: number }>('/api/chains', { name })
  const steps = [
    { title: 'Collect', content: 'Collect.', model: 'claude', outputVariableName: 'collected' },
    { title: 'Write', content, model: last, outputVariableName: 'written' },
  ]
  for (const [position, step] of steps.entries())
    await as.post(`/api/chains/${id}/steps`, { ...step, position })
  return id
}

async function ended(api: Api, id: number): Promise<void> {
  const status = async () => (await api.get<{ status: string }>(`/api/executions/${id}/status`)).status
  await expect.poll(status, { timeout: 20_000 }).not.toBe('running')
}
