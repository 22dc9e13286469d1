import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const WAIT_MS = 300_000
const SECRET_KEY = 'a-key-for-journeys-of-more-than-32-characters'

let place: string
let server: RunningServer
let restored: RunningServer | undefined
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'backups-'))
  server = await startServer({ env: { SECRET_KEY, BACKUP_DIR: join(place, 'copies') } })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await api.call('DELETE', '/api/first-steps')
  await api.post('/api/prompts', { title: 'Kept words', content: 'They are here', categoryId: 1 })
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
}, WAIT_MS)
afterAll(async () => {
  await browser?.close()
  await Promise.all([server?.dispose(), restored?.dispose()])
  await rm(place, { recursive: true, force: true })
})

test(
  'a backup is made, proven, downloaded, restored into another directory, and its work is resumed',
  async () => {
    showLogsOnFailure(server)
    await page.goto(`${server.url}/settings/backups`)
    await page.getByText('Not proven yet').waitFor()
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByRole('heading', { name: /^Proven restorable/ }).waitFor({ timeout: WAIT_MS })
    await page.getByText('A chain of one step, in the sandbox').waitFor()
    const file = join(place, 'downloaded.catenary')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: /^Download the copy/ }).click()
    await (await download).saveAs(file)

    const dataDir = join(place, 'other')
    await mkdir(dataDir)
    const put = await runCommand(['restore', file], { dataDir, env: { SECRET_KEY } })
    expect(put).toMatchObject({ code: 0, out: expect.stringContaining('It is quiet') })
    restored = await startServer({ dataDir, env: { SECRET_KEY } })
    expect(restored.logs()).toContain('this is a restored copy')
    await signIn(restored)
    await page.getByText(/is quiet/).waitFor()
    await page.getByText('Kept words').first().waitFor()
    await page.getByRole('button', { name: 'Resume work' }).click()
    await page.getByText('Work will resume').first().waitFor()
    await restored.stop()
    await restored.restart()
    expect(restored.logs().split('this is a restored copy')).toHaveLength(2)
    await page.goto(restored.url)
    await page.getByText('Kept words').first().waitFor()
    expect(await page.getByText(/is quiet/).count()).toBe(0)
  },
  WAIT_MS,
)

/** Everyone was signed out. */
async function signIn({ url }: RunningServer): Promise<void> {
  const there = createApi(url)
  const { username, password } = seedAccount
  await there.post('/api/login', { username, password })
  await browser.context.clearCookies()
  await browser.context.addCookies(there.cookies())
  await page.goto(url)
}
