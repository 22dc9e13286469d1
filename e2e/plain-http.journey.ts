import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser, PLAIN_HOST } from './harness/browser.ts'
import { allowClipboard, lastCopied } from './harness/clipboard.ts'
import { cardOf, expectToast, PATIENCE } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const PROMPT = 'Welcome letter'

let server: RunningServer
let browser: OpenBrowser
let page: Page
/** What its pages threw. */
const faults: string[] = []
/** The address of a home network: http, by a name. */
let home: string

beforeAll(async () => {
  server = await startServer({ env: { ALLOWED_HOSTS: PLAIN_HOST } })
  home = `http://${PLAIN_HOST}:${server.port}`
  const api = createApi(server.url)
  await seed(api)
  browser = await openBrowser()
  await allowClipboard(browser.context)
  await browser.context.addCookies(api.cookies().map((cookie) => ({ ...cookie, url: home })))
})
afterEach(async () => {
  await page.close()
  expect(faults.splice(0)).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test('over plain http a prompt is made, copied and edited', async () => {
  await open('/')
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await page.getByRole('button', { name: 'New prompt' }).click()
  const form = page.getByRole('dialog', { name: 'Create New Prompt' })
  await form.getByLabel('Title').fill('At home')
  await form.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option').first().click()
  await form.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type('A plain text.')
  await page.keyboard.press('Control+Enter')
  await cardOf(page, 'At home').waitFor()

  await cardOf(page, PROMPT).hover()
  await cardOf(page, PROMPT).getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, ['Copied to clipboard', 'Prompt content has been copied to clipboard'])
  expect(await lastCopied(page)).toBe('Write a $<tone> welcome for $<customer>.')

  await open('/edit/1')
  await page.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Sign it.')
  await page.getByRole('button', { name: /^Model and output/ }).click()
  await page
    .getByRole('button', { name: /^Add turn/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Turn 1' }).click()
  await page.keyboard.type('Hello')
  await page.keyboard.press('Control+s')
  await expectToast(page, ['Prompt updated', 'Your prompt has been updated successfully'])
})

test('over plain http a chain gets its first step', async () => {
  await open('/chains')
  await page.getByRole('button', { name: 'Create Your First Chain' }).click()
  await page.getByRole('dialog', { name: 'Create New Chain' }).getByLabel('Name').fill('Home chain')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Add First Step' }).click()
  const step = page.getByRole('dialog', { name: 'Add Step' })
  await step.getByLabel('Output variable name').fill('greeting')
  await step.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type('Say hello')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Output: greeting').waitFor()
})

test('Over plain http, as in a home network, every page works, copying too.', async () => {
  const addresses = ['/', '/variables', '/chains', '/chains/1', '/execute/1', '/edit/new', '/edit/1']
  for (const address of [
    ...addresses,
    '/prompts/1/tests',
    '/connect',
    '/usage',
    '/docs',
    '/test-dashboard.html',
  ]) {
    await open(address)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count(), PATIENCE).toBeGreaterThan(0)
    expect(await page.getByText('could not be shown').count(), address).toBe(0)
  }
})

async function open(path: string): Promise<void> {
  if (page !== undefined && !page.isClosed()) await page.close()
  page = await browser.context.newPage()
  showLogsOnFailure(server)
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(home + path)
}
