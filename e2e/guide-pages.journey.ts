import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, lastCopied } from './harness/clipboard.ts'
import { expectAddress, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'

let server: RunningServer
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  browser = await openBrowser()
  await allowClipboard(browser.context)
  page = await browser.context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test('a guest opens the guide, finds a word, follows it to its part, and goes on from there', async () => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) elsewhere.push(request.url())
  })
  await page.goto(`${server.url}/docs`)
  await page.getByRole('searchbox', { name: 'Search the guide' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('resume step paid')
  const results = page.getByRole('region', { name: 'Search results' })
  const hit = results.getByRole('link', { name: /^Go on after a failure/ })
  await hit.getByText('Resume', { exact: true }).waitFor()
  await expectAddress(page, '/docs?search=resume+step+paid')
  await hit.click()
  await expectAddress(page, '/docs/chains')
  const heading = page.getByRole('heading', { name: 'Go on after a failure' })
  await expect.poll(() => heading.evaluate((node) => node === document.activeElement), PATIENCE).toBe(true)

  await page.getByRole('link', { name: 'Next: Schedules and mail' }).click()
  await page.getByRole('heading', { name: 'Schedule a chain' }).waitFor()
  await page.getByRole('article').getByRole('link', { name: 'settings', exact: true }).click()
  await expectAddress(page, '/docs/settings')
  await page.getByRole('heading', { name: 'Mail', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Schedule a chain' }).waitFor()
  expect(elsewhere).toEqual([])
})

test('a part of a page is opened by its address, its picture comes, and its code is copied', async () => {
  await page.goto(`${server.url}/docs/operate#install-without-a-network`)
  const heading = page.getByRole('heading', { name: 'Install without a network' })
  await expect.poll(() => heading.evaluate((node) => node === document.activeElement), PATIENCE).toBe(true)
  await page.getByRole('button', { name: /^Copy: npm install --prefix/ }).click()
  await expect.poll(() => lastCopied(page)).toBe('npm install --prefix catenary ./catenary-0.1.0.tgz')
  await page.goto(`${server.url}/docs/chains`)
  const picture = page.getByRole('img', { name: /^A chain with its steps/ })
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(
      () => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
      PATIENCE,
    )
    .toBeGreaterThan(0)
})

test('`/docs` serves the guide to anyone, without the internet. `/` searches it and shows the sentence found. A missing page says so, with a way back.', async () => {
  await page.goto(`${server.url}/docs/submarines`)
  await page.getByRole('heading', { name: 'No such page' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Go to the guide' }).click()
  await page.getByRole('heading', { name: 'Look after it' }).last().waitFor()
  await page.goto(`${server.url}/docs?search=submarine`)
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expectAddress(page, '/docs')
})

test('Each empty state, failed load and failed run has a quiet ‘Learn more’ in a new tab. Every link to and in the guide leads to a part that exists.', async () => {
  await page.goto(`${server.url}/variables`)
  const link = page.getByRole('link', { name: /^Learn more about variables/ })
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await opened.getByRole('heading', { name: 'Use a variable' }).waitFor()
  expect(new URL(opened.url()).pathname).toBe('/docs/prompts-and-variables')
})
