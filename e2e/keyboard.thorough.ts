import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type BrowserOptions, type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectText, PATIENCE } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000

let server: RunningServer
let api: Api
let browser: OpenBrowser | undefined
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  api = createApi(server.url)
  await seed(api)
})
afterEach(async () => {
  await browser?.close()
  browser = undefined
})
afterAll(() => server.dispose())

test(
  'from the library to a run and back, then to a new prompt in a new category, without the mouse',
  async () => {
    showLogsOnFailure(server)
    const { page, complaints } = await openLibrary()
    const { keyboard } = page
    await page.evaluate(() => {
      document.addEventListener('pointerdown', () => document.body.setAttribute('data-mouse', 'used'))
    })

    await choose({ page, text: 'welcome', label: 'Execute: Welcome letter' })
    await page.waitForURL('**/execute/*')
    await waitForFocus({ page, name: 'customer' })
    await keyboard.type('Grace')
    await keyboard.press('Control+Enter')
    await page.getByText('Done', { exact: true }).waitFor()
    const answer = page.getByRole('figure', { name: 'AI response' })
    await answer.getByText('Write a warm, plain and short welcome for Grace.').waitFor()

    await choose({ page, text: 'prompts', label: 'Prompts' })
    await page.getByRole('list', { name: 'Prompts' }).waitFor()

    await choose({ page, text: 'New category Letters', label: 'New category “Letters”' })
    await page.getByText('Category created', { exact: true }).waitFor()
    await page.waitForURL('**/?category=*')
    await choose({ page, text: 'Haiku of the sea', label: 'New prompt “Haiku of the sea”' })
    const form = page.getByRole('dialog', { name: 'Create New Prompt' })
    await form.waitFor()
    expect(await form.getByLabel('Title').inputValue()).toBe('Haiku of the sea')
    await tabTo({ page, name: 'Content' })
    await keyboard.type('Write a haiku about $<sea')
    await keyboard.press('Control+Enter')
    await page.getByText('Prompt created', { exact: true }).waitFor()
    await form.waitFor({ state: 'detached' })

    await tabTo({ page, name: 'Haiku of the sea' })
    await keyboard.press('e')
    const edit = page.getByRole('dialog', { name: 'Edit Prompt' })
    await edit.waitFor()
    expect(await edit.getByLabel('Title').inputValue()).toBe('Haiku of the sea')
    await keyboard.press('Escape')
    await edit.waitFor({ state: 'detached' })
    await waitForFocus({ page, name: 'Haiku of the sea' })

    await keyboard.press('g')
    await keyboard.press('v')
    await page.getByRole('heading', { name: 'Variables' }).waitFor()
    await keyboard.press('n')
    await page.getByRole('dialog', { name: 'Create New Variable' }).waitFor()
    await keyboard.press('Escape')
    await waitForFocus({ page, name: 'page' })
    await keyboard.press('/')
    await keyboard.type('n?tone')
    await expect.poll(() => page.getByRole('searchbox').inputValue(), PATIENCE).toBe('n?tone')
    await choose({ page, text: 'dark', label: 'Dark theme' })
    await page.locator('html[data-theme=dark]').waitFor()
    await waitForFocus({ page, name: 'Search variables' })

    expect(await page.locator('[data-mouse]').count()).toBe(0)
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'One sheet lists the shortcuts.',
  async () => {
    const { page, complaints } = await openLibrary()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Control K', { exact: true }).waitFor()
    expect(await sheet.getByRole('definition').count()).toBe(await sheet.getByRole('term').count())
    await tabTo({ page, name: 'Single-key shortcuts' })
    await page.keyboard.press('Space')
    await sheet.getByText('Off', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    for (const afterReload of [false, true]) {
      if (afterReload) await page.reload()
      await page.getByRole('list', { name: 'Prompts' }).waitFor()
      for (const key of ['n', '?', '/', 'g', 'v']) await page.keyboard.press(key)
      await choose({ page, text: 'keyboard', label: 'Keyboard shortcuts' })
      await sheet.waitFor()
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/')
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
    }
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'a guest is asked to log in by what needs it, and finds the way in',
  async () => {
    const { page, complaints } = await openLibrary({ isGuest: true })
    await choose({ page, text: 'explain', label: 'Execute: Explain an error' })
    await page.getByRole('alertdialog', { name: 'Authentication Required' }).waitFor()
    await page.keyboard.press('Escape')
    await choose({ page, text: 'sign in', label: 'Log in' })
    await page.getByRole('dialog', { name: 'Log in' }).waitFor()
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'of 10,000 prompts the palette draws a few and finds the one',
  async () => {
    const [prompt] = await api.get<object[]>('/api/prompts')
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      ...prompt,
      id: index + 1,
      title: `Report ${index + 1} on the weather`,
    }))
    const { page } = await openLibrary({ prompts: many })
    await page.keyboard.press('Control+k')
    const options = page.getByRole('option')
    await page.getByRole('combobox', { name: 'Command palette' }).fill('weather')
    await options.first().waitFor()
    expect(await options.count()).toBeLessThan(30)
    await page.getByRole('combobox', { name: 'Command palette' }).fill('report 9876')
    await expectText(options, 'Execute: Report 9876 on the weather')
  },
  TIMEOUT_MS,
)

test.each([
  { place: 'on a phone', width: 390, openers: ['Menu', 'Find, run or create'] },
  { place: 'on a desk', width: 1280, openers: ['Command palette'] },
])(
  'the focus comes back from the palette $place',
  async ({ width, openers }) => {
    const { page, complaints } = await openLibrary({ viewport: { width, height: 800 } })
    for (const name of openers) await page.getByRole('button', { name }).click()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus({ page, name: openers[0] ?? '' })
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

interface LibraryOptions extends BrowserOptions {
  isGuest?: boolean
  /** Answers the list instead of the server. */
  prompts?: object[]
}

/** Opens the library; what the console complains about, such as a breach of the policy, is kept. */
async function openLibrary({ isGuest = false, prompts, ...look }: LibraryOptions = {}) {
  browser = await openBrowser(look)
  if (!isGuest) await browser.context.addCookies(api.cookies())
  const page = await browser.context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // Signed out is what a 401 of this call says.
    const isAnonymous = message.location().url.endsWith('/api/user')
    if (message.type() === 'error' && !isAnonymous) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  if (prompts) await page.route('**/api/prompts', (route) => route.fulfill({ json: prompts }))
  await page.goto(server.url)
  await page.getByRole('list', { name: 'Prompts' }).waitFor()
  await page
    .getByRole('button', { name: isGuest ? 'Register' : 'Logout', includeHidden: true })
    .first()
    .waitFor({ state: 'attached' })
  return { page, complaints }
}

/** Opens the palette, types, and runs what must then be the first. */
async function choose({ page, text, label }: { page: Page; text: string; label: string }): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').waitFor()
  await page.keyboard.type(text)
  await palette.getByRole('option', { name: label, exact: true, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
}

/** Presses Tab until the named element has the focus. */
async function tabTo({ page, name }: { page: Page; name: string }): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  throw new Error(`Tab never came to “${name}”.`)
}

async function waitForFocus({ page, name }: { page: Page; name: string }): Promise<void> {
  await expect.poll(() => focused(page), PATIENCE).toBe(name)
}

/** What the focused element is called. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label =
      element instanceof HTMLInputElement ||
      element instanceof HTMLButtonElement ||
      element instanceof HTMLTextAreaElement
        ? element.labels?.[0]?.textContent
        : undefined
    return (
      element?.ariaLabel ??
      label ??
      (element?.id === 'page' ? 'page' : element?.textContent) ??
      ''
    ).trim()
  })
}
