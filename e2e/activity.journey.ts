import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const VIEW = { name: 'Letters', page: 'prompts', query: 'search=letter' }

let server: RunningServer
let api: Api
let browser: OpenBrowser
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await api.post('/api/views', VIEW)
  await api.post('/api/admin/debug-mode', { enabled: true })
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test(
  'The activity is found, filtered, opened and exported, by mouse and by keys.',
  async () => {
    showLogsOnFailure(server)
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/settings/profile`)
    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
    await page.getByRole('button', { name: /saved the view Letters/ }).waitFor()
    const debugMode = page.getByRole('button', { name: /set debug mode/ })
    await debugMode.focus()
    await page.keyboard.press('Enter')
    const table = page.getByRole('table')
    await table.getByRole('row', { name: 'debugMode false true' }).waitFor()
    expect(new URL(page.url()).searchParams.get('open')).toMatch(/^\d+$/)
    await page.keyboard.press('Enter')
    await table.waitFor({ state: 'detached' })

    await page.getByRole('combobox', { name: 'What' }).click()
    await page.getByRole('option', { name: 'Saved views' }).click()
    await debugMode.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('what')).toBe('view')
    await page.reload()
    await page.getByRole('button', { name: /saved the view Letters/ }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    expect((await downloading).suggestedFilename()).toBe('activity.csv')

    await page.getByRole('switch', { name: 'Refused only' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('Nothing that was done matches these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: /the activity/ }).waitFor()
  },
  TIMEOUT_MS,
)
