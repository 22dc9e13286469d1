import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectAddress, expectText } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { changes } from './states/network.ts'

const TIMEOUT_MS = 240_000
const GONE = /\/assets\/editor-route-/

let server: RunningServer
let api: Api
let browser: OpenBrowser
let promptId: number
beforeAll(async () => {
  server = await startServer()
  browser = await openBrowser()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const prompt = { title: 'Note', content: 'Be $<mood>.', categoryId: 1 }
  promptId = (await api.post<{ id: number }>('/api/prompts', prompt)).id
  await browser.context.addCookies(api.cookies())
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

afterEach(() => browser.context.setOffline(false))

const titleOf = (page: Page) => page.getByLabel('Title')
/** Also when a dialog hides everything around it from assistive technology. */
const retry = (page: Page) => page.getByText('Retry', { exact: true })
/** What the page has fetched. */
const fetched = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .join(),
  )

/** Waits until nothing is fetched ahead any more. */
async function allFetched(page: Page): Promise<void> {
  await expect.poll(() => fetched(page), { timeout: 30_000 }).toContain('/assets/toast-viewport-')
  await page.waitForLoadState('networkidle')
}

/** A page on which these parts can't be loaded until they are let through. */
async function openWithout(parts: RegExp): Promise<{ page: Page; letThrough: () => Promise<void> }> {
  const page = await browser.context.newPage()
  await page.route(parts, (route) => route.abort())
  return { page, letThrough: () => page.unroute(parts) }
}

test(
  'Without the network a click leaves page and text as they are. What was not loaded says so, with Retry.',
  async () => {
    const { page, letThrough } = await openWithout(/\/assets\/editor-route-/)
    await page.goto(`${server.url}/?prompt=${promptId}`)
    await titleOf(page).fill('Half a thought')
    await allFetched(page)
    await browser.context.setOffline(true)
    await page.keyboard.press('Control+e')
    await retry(page).waitFor()
    await expectText(page.locator('li[data-swipe-direction]'), /You are offline/)
    await expectAddress(page, `/?prompt=${promptId}`)
    expect(await titleOf(page).inputValue()).toBe('Half a thought')
    await retry(page).click()
    await retry(page).waitFor()
    expect(await titleOf(page).inputValue()).toBe('Half a thought')

    await letThrough()
    await browser.context.setOffline(false)
    await retry(page).click()
    await expectAddress(page, `/edit/${promptId}`)
    await expect.poll(() => titleOf(page).inputValue()).toBe('Half a thought')
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'A switch without the network goes back and says why; the list stays.',
  async () => {
    const { page, letThrough } = await openWithout(/\/assets\/shortcut-sheet-/)
    await page.goto(server.url)
    const active = page.getByRole('switch').first()
    await active.waitFor()
    await allFetched(page)
    await browser.context.setOffline(true)
    await active.click()
    await page.getByText(/^Failed to update prompt status/).waitFor()
    expect(await active.isChecked()).toBe(true)
    await page.keyboard.press('?')
    await retry(page).waitFor()
    await page
      .getByRole('button', { name: /^New prompt/ })
      .first()
      .click()
    await titleOf(page).fill('A thought')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()

    await letThrough()
    await browser.context.setOffline(false)
    await retry(page).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'Before its parts are there, a page shows its frame, with skeletons where they will be.',
  async () => {
    const page = await browser.context.newPage()
    await page.route(/\/assets\/.*\.js$/, () => undefined)
    await page.goto(`${server.url}/chains`, { waitUntil: 'commit' })
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByRole('link', { name: 'Variables' }).waitFor()
    await page.getByRole('main').waitFor()
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'What a form needs is fetched in idle time.',
  async () => {
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/?prompt=${promptId}`)
    await titleOf(page).fill('Half a thought')
    await expect.poll(() => fetched(page), { timeout: 30_000 }).toContain('/assets/editor-route-')
    await page.waitForLoadState('networkidle')
    await browser.context.setOffline(true)
    await page.keyboard.press('Control+e')
    await expectAddress(page, `/edit/${promptId}`)
    await browser.context.setOffline(false)
    const again = page.getByRole('button', { name: 'Try again' })
    await again.or(titleOf(page)).first().waitFor()
    if (await again.isVisible()) await again.click()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Half a thought')
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'A page of an earlier build reloads where a part of it is gone, and its draft is back.',
  async () => {
    const page = await browser.context.newPage()
    await changes('/api/instance', { build: 'newer' })(page)
    await page.route(GONE, (route) => route.fulfill({ status: 404 }))
    await page.goto(server.url)
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${server.url}/?prompt=${promptId}`)
    await titleOf(page).fill('Half a thought')
    await allFetched(page)
    expect(await page.getByText('Your unsaved draft is back.').count()).toBe(0)
    page.once('load', () => void page.unroute(GONE))
    await page.keyboard.press('Control+e')
    await page.getByText('Your unsaved draft is back.').waitFor()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Half a thought')
    await page.close()
  },
  TIMEOUT_MS,
)
