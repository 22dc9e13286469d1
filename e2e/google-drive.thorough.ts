import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startFakeGoogle } from '../apps/server/src/testing/fake-google/fake-google.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectClosed, expectText, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const DOCUMENT = 'application/vnd.google-apps.document'
const PICKER = '/api/google-drive/picker'

let google: Awaited<ReturnType<typeof startFakeGoogle>>
let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  google = await startFakeGoogle()
  const files = Array.from({ length: 40 }, (_, n) => n)
  google.addFiles(
    { id: 'terms', name: 'Terms <b>of</b> service', mimeType: DOCUMENT, content: 'Be kind.' },
    ...files.map((n) => ({
      id: `note-${n}`,
      name: `Note ${n}`,
      mimeType: 'text/plain',
      modifiedTime: new Date(Date.UTC(2026, 9, 1, 0, n)).toISOString(),
    })),
  )
  const port = await freePort()
  const env = { LOG_LEVEL: 'warn', PUBLIC_URL: `http://127.0.0.1:${port}`, ...google.env }
  server = await startServer({ port, env })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
})
// The browser keeps the session while one page is open.
afterEach(() => Promise.all(browser.context.pages().map((open, index) => index > 0 && open.close())))
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await google?.close()
})

test('the picker leads through Google’s consent and back, and posts the file that is chosen by keyboard', async () => {
  google.consent('ask')
  const popup = await openWindow(PICKER)
  await popup.getByRole('link', { name: 'Connect' }).click()
  await popup.getByRole('link', { name: 'Cancel' }).click()
  await popup.getByText('You did not allow Catenary to read your Google Drive.').waitFor()
  await popup.getByRole('link', { name: 'Try again' }).click()
  await popup.getByRole('link', { name: 'Allow' }).click()
  await expectText(popup.getByRole('listitem'), /^Note 39/)
  expect(await api.get('/api/auth/google/status')).toMatchObject({ authenticated: true })

  const search = popup.getByRole('searchbox', { name: 'Search Google Drive' })
  await search.pressSequentially('terms')
  await expectText(popup.getByRole('listitem'), /^Terms <b>of<\/b> service/)
  await search.press('ArrowDown')
  await expectClosed(popup, () => popup.keyboard.press('Enter'))
  expect(await messages()).toEqual([
    {
      origin: new URL(server.url).origin,
      data: { id: 'terms', name: 'Terms <b>of</b> service', mimeType: DOCUMENT },
    },
  ])
})

test('a window that was opened to connect tells its opener, and closes', async () => {
  google.consent('ask')
  const popup = await openWindow('/api/auth/google?popup=1')
  await expectClosed(popup, () => popup.getByRole('link', { name: 'Allow' }).click())
  expect(await messages()).toEqual([
    { origin: new URL(server.url).origin, data: { type: 'google-drive-connected' } },
  ])
})

test('more files come on demand; arrows walk the list, Escape clears and closes', async () => {
  await connect()
  const popup = await openWindow(PICKER)
  const rows = popup.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect.poll(() => rows.count(), PATIENCE).toBe(30)
  await popup.keyboard.press('ArrowDown')
  await popup.keyboard.press('End')
  await popup.keyboard.press('Enter')
  await expect.poll(() => rows.count(), PATIENCE).toBe(41)
  await expect.poll(() => rows.nth(30).getByRole('button').evaluate(isFocused), PATIENCE).toBe(true)
  await popup.keyboard.press('Home')
  await popup.keyboard.press('ArrowUp')
  await popup.keyboard.type('zebra')
  await popup.getByText('No document or text file has ‘zebra’ in its name.').waitFor()
  await popup.keyboard.press('Escape')
  await expect.poll(() => rows.count(), PATIENCE).toBe(30)
  await expectClosed(popup, () => popup.keyboard.press('Escape'))
})

test('a failure of Google’s is shown with a way to retry; revoked access leads to connecting', async () => {
  await connect()
  google.fail({ on: 'drive', status: 500 })
  const popup = await openWindow(PICKER)
  await expectText(popup.getByRole('alert'), /Google Drive failed: it answered 500/)
  await popup.getByRole('button', { name: 'Try again' }).click()
  await expectText(popup.getByRole('listitem'), /^Note 39/)
  google.revokeAll()
  await popup.getByRole('searchbox').fill('note')
  await popup.getByRole('link', { name: 'Connect' }).waitFor()
})

test('a page of another site that opens the picker learns nothing', async () => {
  await connect()
  const popup = await openWindow(PICKER, google.url)
  await popup.getByRole('listitem').first().waitFor()
  await expectClosed(popup, () => popup.getByRole('button', { name: /^Note 39/ }).click())
  expect(await messages()).toEqual([])
})

test.each(['light', 'dark'] as const)('the picker is accessible, %s', async (colorScheme) => {
  await connect()
  page = await browser.context.newPage()
  await page.emulateMedia({ colorScheme })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(server.url + PICKER)
    await expectText(page.getByRole('listitem'), /^Note 39/)
    expect(await page.locator('html').getAttribute('data-theme')).toBe(colorScheme)
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  }
})

async function connect(): Promise<void> {
  google.consent('allow')
  const walking = await browser.context.newPage()
  await walking.goto(`${server.url}/variables`)
  await walking.evaluate((path) => location.assign(path), `/api/auth/google?returnTo=${PICKER}`)
  await walking.waitForURL(`${server.url}${PICKER}`)
  await walking.close()
}

/** Opens a window as the app does, from a page that records the messages it gets. */
async function openWindow(path: string, from = `${server.url}/variables`): Promise<Page> {
  page = await browser.context.newPage()
  await page.goto(from)
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((address) => {
      const messages: unknown[] = []
      Object.assign(window, { messages })
      addEventListener('message', ({ origin, data }) => messages.push({ origin, data }))
      open(address, 'picker', 'popup,width=720,height=640')
    }, server.url + path),
  ])
  return popup
}

function messages(): Promise<unknown> {
  return page.evaluate(() => (window as unknown as { messages: unknown[] }).messages)
}

function isFocused(element: Element): boolean {
  return element === document.activeElement
}
