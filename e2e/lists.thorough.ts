import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, lastCopied } from './harness/clipboard.ts'
import { cardOf, chooseFor, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const LONG = `${'A long text about $<customer>. '.repeat(60)}And its end.`
/** More than three pages, newest first; one prompt is long. */
const FILL = `
  insert into prompts (owner_id, category_id, title, content, updated_at)
  select 1, 1, 'Prompt ' || n, case when n = 2 then '${LONG}' else 'common words' end, now() - n * interval '1 minute'
  from generate_series(1, 3200) n`

let server: RunningServer
let browser: OpenBrowser
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await server.stop()
  const database = await openDatabase({ dataDir: server.dataDir, fsync: false, statementLimitMs: 600_000 })
  await database.pool.query(FILL)
  await database.close()
  await server.restart()
  browser = await openBrowser()
  await allowClipboard(browser.context)
  await browser.context.addCookies(api.cookies())
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

async function openLibrary(path = '/') {
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  const list = page.getByRole('list', { name: 'Prompts' })
  await list.waitFor()
  return { page, footer: page.getByText(/^Showing /), scroller: list.locator('xpath=..') }
}

test('a library of 3,200 prompts goes on as one scrolls, and says how many there are', async () => {
  const { page, footer, scroller } = await openLibrary()
  await expectText(footer, 'Showing 1 to 1000 of 3200 results')
  await expectText(
    page.getByRole('heading', { name: 'Prompts' }).locator('xpath=following-sibling::span'),
    '3200',
  )
  for (const shown of ['2000', '3000', '3200']) {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expectText(footer, `Showing 1 to ${shown} of 3200 results`)
  }
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await cardOf(page, 'Prompt 3200').waitFor()
  await page.close()
})

test('search and order are the server’s: what is not here is found', async () => {
  const { page, footer } = await openLibrary()
  const search = page.getByRole('searchbox', { name: 'Search prompts' })
  await search.fill('prompt 3199')
  await expectText(footer, 'Showing 1 to 1 of 1 results')
  await cardOf(page, 'Prompt 3199').waitFor()
  await search.fill('common')
  await expectText(footer, 'Showing 1 to 1000 of more than 3000 results')
  await search.fill('no such words')
  await page.getByText('No prompts found', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expectText(footer, 'Showing 1 to 1000 of 3200 results')
  await page.getByRole('button', { name: 'Sort by: Updated' }).click()
  await page.getByRole('menuitemradio', { name: 'Created' }).click()
  await cardOf(page, 'Prompt 3200').waitFor()
  await page.close()
})

test('a card has the beginning of a long text; Copy, the form and the palette have the whole', async () => {
  const { page } = await openLibrary()
  const card = cardOf(page, 'Prompt 2').first()
  await card.hover()
  await card.getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, ['Copied to clipboard', 'Prompt content has been copied to clipboard'])
  expect(await lastCopied(page)).toBe(LONG)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Prompt 3100')
  await page.getByRole('option', { name: /^Prompt 3100/ }).click()
  const form = page.getByRole('dialog', { name: 'Edit Prompt' })
  await expect.poll(() => form.getByLabel('Title').inputValue(), PATIENCE).toBe('Prompt 3100')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })

  await chooseFor(card, 'Edit')
  await expectText(form.getByRole('textbox', { name: 'Content' }), /And its end\.$/)
  await page.close()
})
