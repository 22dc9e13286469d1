import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectAddress, expectText, expectToast } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000

let server: RunningServer
let api: Api
let browser: OpenBrowser
beforeAll(async () => {
  server = await startServer()
  browser = await openBrowser()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test(
  '‘Create and open’ opens the new chain; a guest’s empty pages, and the landing page’s picture, show what works.',
  async () => {
    showLogsOnFailure(server)
    const page = await openPage()
    await page.goto(`${server.url}/auth`)
    await page.getByRole('img', { name: 'From prompt to API' }).getByText('schedule').waitFor()
    expect(await page.getByRole('img', { name: 'From prompt to API' }).getByText('mail').count()).toBe(0)
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    expect(await theme()).toBe('dark')
    await page.goto(`${server.url}/chains`)
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    expect(await theme()).toBe('light')
    await page.getByText(/thank-you note about this/).waitFor()
    await page.getByRole('button', { name: 'Log in to create one' }).click()
    await page.getByRole('alertdialog', { name: 'Authentication Required' }).waitFor()

    await browser.context.addCookies(api.cookies())
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Start with something that runs' }).waitFor()

    await page.goto(`${server.url}/chains?chain=new`)
    await page.getByLabel('Name', { exact: true }).fill('Launch')
    await page.getByRole('button', { name: 'Create and open' }).click()
    await page.getByRole('heading', { name: 'Launch' }).waitFor()
    await expectAddress(page, '/chains/1')
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'Ctrl E grows the editor to a page with its own address, with values and a run beside it, and one draft.',
  async () => {
    const variable = (fields: object) => api.post('/api/variables', { type: 'text', ...fields })
    await variable({ name: 'mood', content: 'warm', allowedValues: ['warm', 'formal'] })
    await variable({ name: 'short', content: 'true' })
    await variable({ name: 'lines', content: '3' })
    const content = 'Be $<mood>, $<lines> lines, short: $<short>.'
    const body = { title: 'Note', content, categoryId: 1 }
    const { id } = await api.post<{ id: number }>('/api/prompts', body)
    await browser.context.addCookies(api.cookies())
    const page = await openPage()

    await page.goto(`${server.url}/?prompt=${id}`)
    await page.getByLabel('Title').fill('A short note')
    await page.keyboard.press('Control+e')
    await expectAddress(page, `/edit/${id}`)
    const title = page.getByLabel('Title')
    await expect.poll(() => title.inputValue()).toBe('A short note')
    expect(await page.getByText('Your unsaved draft is back.').count()).toBe(0)
    await page.getByRole('combobox', { name: 'mood' }).click()
    await page.getByRole('option', { name: 'formal' }).click()
    await page.getByRole('switch', { name: 'short' }).click()
    await page.getByRole('textbox', { name: 'lines' }).fill('2')
    await page.getByRole('textbox', { name: 'Content' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Sign as $<nobody>.')
    await page.getByRole('button', { name: 'Preview what is sent' }).click()
    const sent = page.getByRole('region', { name: 'Preview what is sent' })
    await expectText(sent, /Be formal, 2 lines, short: false\. Sign as \$<nobody>/)
    await sent.getByText('stays as written: not in the library').waitFor()
    await expectAddress(page, `/edit/${id}?sent=open`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Done', { exact: true }).waitFor()
    await page
      .getByText(/Be formal, 2 lines, short: false/)
      .nth(1)
      .waitFor()

    await page.getByRole('link', { name: /^Variables/ }).click()
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.keyboard.press('Control+s')
    await expectToast(page, ['Prompt updated', 'Your prompt has been updated successfully'])
    await expectText(page.getByRole('button', { name: '2 versions' }), '2 versions')
    await expect.poll(() => title.inputValue()).toBe('A short note')
    // Saved twice without a reload: the second save is over what the first one stored.
    await title.fill('Short note')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: '3 versions' }).waitFor()
    await page.keyboard.press('Control+e')
    await page.getByRole('dialog', { name: 'Edit Prompt' }).waitFor()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Short note')
    expect(await page.getByText('Your unsaved draft is back.').count()).toBe(0)

    const refused = await api.call('POST', '/api/execute-prompt', {
      promptId: id,
      variables: { mood: 'hot' },
    })
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'variableValues.mood' }] } })
    await page.close()
  },
  TIMEOUT_MS,
)

function openPage(): Promise<Page> {
  return browser.context.newPage()
}
