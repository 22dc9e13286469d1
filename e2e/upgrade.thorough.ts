import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { serveHttp } from '../apps/server/src/testing/local-server.ts'
import { fetchNode } from '../scripts/lib/node.mjs'
import { type Api, createApi } from './harness/api.ts'
import { openBrowser } from './harness/browser.ts'
import { installTarball, makeFolder, packCheckout, packCommit } from './harness/package.ts'
import { main, startServer } from './harness/server.ts'

/** Packing an earlier commit installs what it was built with. */
const PATIENCE_MS = 900_000
/** The first commit whose data this program takes. */
const EARLIER_COMMIT = '299abfa2bb851b2788deefcaef15c5a99ebba66a'
const PERSON = { username: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
const SECRET = 'Bearer c4n4ry-header'
const LATEST_NEWS = 'The bridge opens on Monday.'
/** A run of every minute has begun and ended by then. */
const NEXT_RUN = { timeout: 150_000, interval: 500 }

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test(
  'A newer version goes on with an earlier one’s data directory: sessions, sealed headers, schedules, cursors and drafts.',
  async () => {
    const { tarball, node, folder, earlier } = await packages()
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const world = await startWorld()
    // A browser keeps drafts and sessions by address, so every program has the same.
    const shared = { dataDir, port: await freePort(), env: world.env }

    const program = await installTarball({ folder, tarball: earlier, node })
    expect(EARLIER_COMMIT).toContain(await commitOf(program))
    const before = await startServer({ ...shared, program, node })
    closing.push(before.dispose)
    const api = createApi(before.url)
    await api.post('/api/register', PERSON)
    const prompts = [await writePrompt(api, 'Written first'), await writePrompt(api, 'Written second')]
    const schedule = await scheduleEachMinute(api, world.newsUrl)
    const { cursor } = await listPrompts({ api, url: before.url })
    expect(cursor).toBeTruthy()
    const browser = await openBrowser()
    closing.push(browser.close)
    await browser.context.addCookies(api.cookies())
    const page = await browser.context.newPage()
    await writeDraft(page, `${before.url}/?prompt=${prompts[0]}`)
    await before.kill()

    await installTarball({ folder, tarball, node })
    expect(EARLIER_COMMIT).not.toContain(await commitOf(program))
    for (const next of [{ program: main }, { program, node }]) {
      const server = await startServer({ ...shared, ...next })
      closing.push(server.dispose)
      for (const id of prompts) expect((await api.call('GET', `/api/prompts/${id}`)).status).toBe(200)
      const { username, password } = PERSON
      expect((await createApi(server.url).call('POST', '/api/login', { username, password })).status).toBe(
        200,
      )
      const rest = await listPrompts({ api, url: server.url, cursor })
      expect(rest.titles).toEqual(['Written first'])
      await expectNextRun({ api, schedule, world })
      await expectDraft(page, `${server.url}/?prompt=${prompts[0]}`)
      await server.kill()
    }
  },
  PATIENCE_MS,
)

async function packages() {
  const tarball = await packCheckout()
  const node = await fetchNode('the pinned Node')
  const folder = await makeFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { tarball, node, folder, earlier: await packCommit(EARLIER_COMMIT) }
}

/** What the program reaches outside of it: a model, and an address that wants a secret header. */
async function startWorld() {
  const claude = await startFakeProvider({ vendor: 'anthropic' })
  closing.push(claude.close)
  claude.replyByDefault({ text: 'Read.' })
  const asked: (string | undefined)[] = []
  const news = await serveHttp((request, response) => {
    asked.push(request.headers.authorization)
    response.setHeader('content-type', 'text/plain').end(LATEST_NEWS)
  })
  closing.push(news.close)
  const env = {
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: claude.url,
    FETCH_ALLOW_HOSTS: `127.0.0.1:${news.port}`,
  }
  return { claude, asked, env, newsUrl: `http://127.0.0.1:${news.port}/news` }
}

async function writePrompt(api: Api, title: string): Promise<number> {
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const prompt = { title, content: 'Say hello to $<name>', categoryId: category?.id }
  return (await api.post<{ id: number }>('/api/prompts', prompt)).id
}

/** The id of a schedule whose chain fetches the news, which needs the secret. */
async function scheduleEachMinute(api: Api, newsUrl: string): Promise<number> {
  const variable = { name: 'news', type: 'api', apiUrl: newsUrl, apiHeaders: { Authorization: SECRET } }
  await api.post('/api/variables', variable)
  const { id } = await api.post<{ id: number }>('/api/chains', { name: 'Morning news' })
  const step = { title: 'Read', content: 'Read $<news>', outputVariableName: 'read', model: 'claude' }
  await api.post(`/api/chains/${id}/steps`, step)
  const schedule = {
    scheduledTime: new Date().toISOString(),
    timeZone: 'UTC',
    isRecurring: true,
    recurringType: 'cron',
    cron: '* * * * *',
  }
  return (await api.post<{ id: number }>(`/api/chains/${id}/schedule`, schedule)).id
}

/** One prompt a page, newest first. */
async function listPrompts({ api, url, cursor }: { api: Api; url: string; cursor?: string | null }) {
  const query = new URLSearchParams({ limit: '1', ...(cursor ? { cursor } : {}) })
  const cookie = api.cookies().map(({ name, value }) => `${name}=${value}`)
  const reply = await fetch(`${url}/api/prompts?${query}`, { headers: { cookie: cookie.join('; ') } })
  const rows: { title: string }[] = await reply.json()
  return { titles: rows.map(({ title }) => title), cursor: reply.headers.get('x-next-cursor') }
}

interface NextRun {
  api: Api
  schedule: number
  world: Awaited<ReturnType<typeof startWorld>>
}

/** The schedule's next run reads the news with the sealed header, and no minute has two. */
async function expectNextRun({ api, schedule, world: { asked, claude } }: NextRun): Promise<void> {
  const sentBefore = claude.journal.length
  await expect.poll(() => claude.journal.length, NEXT_RUN).toBeGreaterThan(sentBefore)
  expect(JSON.stringify(claude.journal.at(-1)?.body)).toContain(`Read ${LATEST_NEWS}`)
  expect(new Set(asked)).toEqual(new Set([SECRET]))
  const occurrences = async () => {
    const path = `/api/scheduled-runs/${schedule}`
    return (await api.get<{ occurrences: { state: string; scheduledFor: string }[] }>(path)).occurrences
  }
  await expect.poll(async () => (await occurrences()).at(-1)?.state, NEXT_RUN).toBe('completed')
  const minutes = (await occurrences()).map(({ scheduledFor }) => scheduledFor)
  expect(new Set(minutes).size).toBe(minutes.length)
}

async function writeDraft(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await titleOf(page).fill('Half a thought')
  const stored = () => page.evaluate(() => JSON.stringify(localStorage))
  await expect.poll(stored).toContain('Half a thought')
}

/** The draft is shown in the form, to the person who was logged in before. */
async function expectDraft(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByText('Your unsaved draft is back.').waitFor()
  await expect.poll(() => titleOf(page).inputValue()).toBe('Half a thought')
}

function titleOf(page: Page): Locator {
  return page.getByLabel('Title', { exact: true })
}

async function commitOf(program: string): Promise<string> {
  return JSON.parse(await readFile(join(dirname(program), 'version.json'), 'utf8')).commit
}
