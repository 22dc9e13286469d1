import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard } from './harness/clipboard.ts'
import { cardOf, expectAddress, expectText } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

/** The page's clock stands this long after its load, so that what a load starts is over. */
const SETTLED_MS = 60_000
const PROMPT = 'Welcome letter'

let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  api = createApi(server.url)
  await seed(api)
  browser = await openBrowser()
  await allowClipboard(browser.context)
  await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
  await page.clock.install()
  await page.goto(server.url)
  // What shows toasts is loaded with the first one.
  await copyPrompt()
  await page.clock.pauseAt(Date.now() + SETTLED_MS)
  await toasts('open').waitFor({ state: 'detached' })
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test('The search waits 300 ms after the last key.', async () => {
  await page.getByRole('searchbox', { name: 'Search prompts' }).pressSequentially('interv')
  await page.clock.runFor(299)
  await page.getByRole('searchbox', { name: 'Search prompts' }).press('i')
  await page.clock.runFor(299)
  await expectAddress(page, '/')
  await page.clock.runFor(1)
  await expectAddress(page, '/?search=intervi')
  await page.keyboard.press('Escape')
  await page.clock.runFor(0)
  await expectAddress(page, '/')
})

test('A toast stays for 5 seconds; the copy icon, and ‘Copied!’, go back to normal after 2 seconds.', async () => {
  await copyPrompt()
  await page.clock.runFor(1999)
  await copied().waitFor()
  await page.clock.runFor(1)
  await copied().waitFor({ state: 'detached' })
  await page.clock.runFor(2999)
  await toasts('open').waitFor()
  await page.clock.runFor(1)
  await toasts('open').waitFor({ state: 'detached' })
})

test('a toast that is closed by hand leaves the next one its time', async () => {
  await copyPrompt()
  await toasts('open').getByRole('button', { name: 'Close' }).click()
  await toasts('open').waitFor({ state: 'detached' })
  await page.clock.runFor(2000)
  await copyPrompt()
  await page.clock.runFor(4999)
  await toasts('open').waitFor()
  await page.clock.runFor(1)
  await toasts('open').waitFor({ state: 'detached' })
})

test('A swipe of more than 50 px dismisses a toast.', async () => {
  await copyPrompt()
  await swipe(50)
  await toasts('open').waitFor()
  await swipe(51)
  await toasts('open').waitFor({ state: 'detached' })
})

test('A tooltip waits 700 ms, the next one 300 ms.', async () => {
  const addCategory = page.getByRole('button', { name: 'Add Category' })
  const addTag = page.getByRole('button', { name: 'Add Tag' })
  const tooltip = page.getByRole('tooltip')
  await addCategory.hover()
  await page.clock.runFor(699)
  expect(await tooltip.count()).toBe(0)
  await page.clock.runFor(1)
  await expectText(tooltip, 'Add Category')

  await leave()
  await page.clock.runFor(299)
  await addTag.hover()
  await expectText(tooltip, 'Add Tag')

  await leave()
  await page.clock.runFor(300)
  await addCategory.hover()
  await page.clock.runFor(699)
  expect(await tooltip.count()).toBe(0)
  await page.clock.runFor(1)
  await tooltip.waitFor()
})

test('A row shows 200 characters of the prompt.', async () => {
  const content = 'x'.repeat(201)
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const prompt = { title: 'Long', content, categoryId: category?.id }
  const { id } = await api.post<{ id: number }>('/api/prompts', prompt)
  await api.post('/api/execute-prompt', { promptId: id })
  await page.clock.resume()
  await page.goto(`${server.url}/execute/${id}?history=open`)
  const run = page.getByRole('region', { name: 'Execution history' }).getByRole('listitem')
  await expectText(run.locator('[aria-expanded] > span > span'), `${'x'.repeat(200)}…`)
})

async function copyPrompt(): Promise<void> {
  await cardOf(page, PROMPT).hover()
  await cardOf(page, PROMPT).getByRole('button', { name: 'Copy' }).click()
  await copied().waitFor()
  await toasts('open').waitFor()
}

function copied() {
  return cardOf(page, PROMPT).getByRole('button', { name: 'Copied!' })
}

function toasts(state: 'open' | 'closed') {
  return page.locator(`li[data-swipe-direction][data-state=${state}]`)
}

/** Drags the toast to the right and lets it go. */
async function swipe(pixels: number): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
  const box = await toasts('open').boundingBox()
  const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels / 2, y)
  await page.mouse.move(x + pixels, y)
  await page.mouse.up()
}

/** Takes the pointer away; the tooltip goes. */
async function leave(): Promise<void> {
  await page.mouse.move(800, 5, { steps: 5 })
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
}
