import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { cardOf, expectAddress, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const TIMEOUT_MS = 120_000
const PAGE =
  '<!doctype html><html><head><style>h1 { color: rgb(200, 0, 0) }</style></head>' +
  '<body style="background: teal"><h1>Spring sale</h1><a href="https://evil.example">More</a></body></html>'

let provider: FakeProvider
let server: RunningServer
let ada: Api
let browser: OpenBrowser
let page: Page
let prompts: number[]
beforeAll(async () => {
  provider = await startFakeProvider({ vendor: 'anthropic' })
  provider.replyByDefault({ text: PAGE })
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url, LOG_LEVEL: 'warn' }
  server = await startServer({ env })
  ada = createApi(server.url)
  await ada.post('/api/register', seedAccount)
  prompts = await Promise.all(Array.from({ length: 14 }, (_, index) => addPrompt(`Letter ${index + 1}`)))
  browser = await openBrowser({ viewport: { width: 1280, height: 800 } })
}, TIMEOUT_MS)
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await provider?.close()
})

test('A guest stays in the library even where no prompt is public, and a link skips to the content.', async () => {
  await open('/', { isGuest: true })
  await page.getByRole('heading', { name: 'Log in to see your prompts' }).waitFor()
  await expectAddress(page, '/')
  await page.keyboard.press('Tab')
  const link = page.getByRole('link', { name: 'Skip to content' })
  expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), PATIENCE).toBe('page')
})

test('while a list loads its skeleton holds the places of the cards', async () => {
  const isPrompts = ({ pathname }: URL) => pathname === '/api/prompts'
  const release = Promise.withResolvers<void>()
  await open('/', {
    prepare: () =>
      page.route(isPrompts, async (route) => {
        await release.promise
        await route.continue()
      }),
  })
  const waiting = page.getByRole('status').filter({ hasText: 'Loading prompts' })
  const place = await waiting.locator('.rounded-card').nth(1).boundingBox()
  release.resolve()
  const card = await page.getByRole('article').nth(1).boundingBox()
  expect(await waiting.count()).toBe(0)
  expect([card?.x, card?.width, card?.height]).toEqual([place?.x, place?.width, place?.height])
})

test('A click writes once.', async () => {
  await open('/?prompt=new')
  const form = page.getByRole('dialog', { name: 'Create New Prompt' })
  await form.getByLabel('Title').fill('Only one')
  await form.getByRole('textbox', { name: 'Content' }).fill('Once.')
  await form.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'General' }).click()
  await form.getByRole('button', { name: 'Create Prompt' }).dblclick()
  await form.waitFor({ state: 'detached' })
  await cardOf(page, 'Only one').waitFor()
  expect(await ada.get('/api/prompts?search=Only%20one')).toHaveLength(1)
})

test('`/` reaches the search while a menu closes.', async () => {
  await open('/')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const keys of [['Escape'], ['ArrowDown', 'Enter']]) {
    await page.getByRole('button', { name: /^Sort by/ }).click()
    await page.getByRole('menu').waitFor()
    for (const key of [...keys, '/']) await page.keyboard.press(key)
    const search = page.getByRole('searchbox', { name: 'Search prompts' })
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => search.evaluate((field) => field === document.activeElement), PATIENCE).toBe(true)
    expect(await search.inputValue()).toBe('')
    await page.keyboard.press('Escape')
  }
})

test('The palette finds and runs chains.', async () => {
  const chain = await ada.post<{ id: number }>('/api/chains', { name: 'Monday round' })
  const step = {
    title: 'Greet',
    content: 'Say hello.',
    model: 'claude',
    outputVariableName: 'hello',
  }
  await ada.post(`/api/chains/${chain.id}/steps`, step)
  await open('/')
  await page.getByRole('button', { name: 'Command palette' }).click()
  await page.getByRole('combobox', { name: 'Command palette' }).fill('monday')
  await page.getByRole('option', { name: 'Execute Chain: Monday round' }).click()
  await page.waitForURL(`**/chains/${chain.id}?run=*`)
  const runs = () => ada.get<{ status: string }[]>(`/api/chains/${chain.id}/executions`)
  await expect.poll(async () => (await runs()).map(({ status }) => status), PATIENCE).toEqual(['completed'])
  await page.reload()
  await page.getByRole('article', { name: 'Greet' }).waitFor()
  expect(await runs()).toHaveLength(1)
})

test('compact density brings more of each list into view', async () => {
  await open('/')
  const heights = async () => {
    const cards = await page.getByRole('article').first().boundingBox()
    await page.getByRole('radio', { name: 'List', exact: true }).click()
    const rows = await page.getByRole('article').first().boundingBox()
    await page.getByRole('radio', { name: 'Grid', exact: true }).click()
    return [cards?.height ?? 0, rows?.height ?? 0]
  }
  const before = await heights()
  await page.goto(`${server.url}/settings/appearance`)
  await page.getByRole('radio', { name: 'Compact' }).click()
  await page.getByRole('link', { name: /^Prompts/ }).click()
  await page.getByRole('article').first().waitFor()
  const after = await heights()
  for (const [index, height] of before.entries()) expect(after[index]).toBeLessThan(height * 0.9)
  await page.reload()
  await page.getByRole('article').first().waitFor()
  expect(await heights()).toEqual(after)
})

test('An answer in HTML has a preview that runs, fetches and opens nothing.', async () => {
  await open(`/execute/${prompts[0]}`)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.getByText('Edits here aren’t saved').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByRole('figure', { name: 'AI response' }).getByRole('button', { name: 'Preview' }).click()
  const frame = page.getByTitle('Preview: AI response')
  expect(await frame.getAttribute('sandbox')).toBe('')
  const heading = page.frameLocator('iframe').getByRole('heading', { name: 'Spring sale' })
  await heading.waitFor()
  expect(await heading.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(200, 0, 0)')
  expect(complaints).toEqual([])
})

async function addPrompt(title: string): Promise<number> {
  const categoryId = 1
  return (await ada.post<{ id: number }>('/api/prompts', { title, content: `Write ${title}.`, categoryId }))
    .id
}

interface OpenOptions {
  isGuest?: boolean
  /** Before the page loads. */
  prepare?: () => Promise<unknown>
}

async function open(path: string, { isGuest = false, prepare }: OpenOptions = {}): Promise<void> {
  await browser.context.clearCookies()
  if (!isGuest) await browser.context.addCookies(ada.cookies())
  page = await browser.context.newPage()
  await prepare?.()
  await page.goto(server.url + path)
  await page.locator('main').waitFor()
}
