import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { chooseOnPage, expectText, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const WAIT_MS = 120_000

let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  // The person in this loop has done the first steps.
  await api.call('DELETE', '/api/first-steps')
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
}, WAIT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

const history = () => page.getByRole('region', { name: 'Execution history' })
const rows = () => history().locator('[data-execution-id]')
const answer = () => page.getByRole('region', { name: 'AI response' })

test(
  'The answer fills its pane, from a first run to an edit that is kept, compared, and used in a chain.',
  async () => {
    const id = await createPrompt()
    await page.goto(`${server.url}/execute/${id}`)
    const toggle = page.getByRole('button', { name: 'Execution history' })
    expect(await toggle.getAttribute('aria-expanded')).toBe('false')

    await page.getByText(/^Error loading content: Google Drive is not set up/).waitFor()
    await page.getByRole('button', { name: /^Execute without 2 values/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await answer().getByText('Done', { exact: true }).waitFor()
    await expectText(
      answer().getByRole('note'),
      /^Sent without values for (customer, terms|terms, customer):/,
    )
    await toggle.click()
    await expectText(rows().first(), /v1 · without 2 values/)
    const [kept] = await api.get<{ executedPromptContent: string }[]>(`/api/prompts/${id}/executions`)
    expect(kept?.executedPromptContent).toBe('Write a mail for $<customer>.\n\nTerms: $<terms>')
    const height = await answer()
      .getByRole('figure')
      .locator('> div')
      .first()
      .evaluate((body) => Number.parseFloat(getComputedStyle(body).maxHeight))
    expect(height).toBeGreaterThan(500)

    await page.getByLabel('customer', { exact: true }).fill('Ada')
    await page.getByRole('textbox', { name: 'Prompt' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nEnd with a question.')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => rows().count(), PATIENCE).toBe(2)
    await expectText(rows().first(), /customer Ada · the text edited copy/)

    await page.getByLabel('Note on version 2').fill('ends with a question')
    await page.keyboard.press('Control+s')
    await page.getByText('Prompt updated').first().waitFor()
    await page.getByText('Edits here aren’t saved').waitFor()
    await chooseOnPage(page, 'Versions 2')
    await page.getByRole('radio', { name: /^Version 2 Current ends with a question/ }).waitFor()
    await page.keyboard.press('Escape')

    await rows().last().getByRole('button', { name: 'Run again' }).click()
    await expectText(answer(), /With the inputs of run #\d+\./)
    await expect.poll(() => rows().count(), PATIENCE).toBe(3)
    expect(await page.getByLabel('customer', { exact: true }).inputValue()).toBe('Ada')
    await answer().getByText('Done', { exact: true }).waitFor()
    await rows().last().getByRole('button', { name: 'Use these values' }).click()
    await expect
      .poll(
        () =>
          page.getByLabel('customer', { exact: true }).evaluate((field) => field === document.activeElement),
        PATIENCE,
      )
      .toBe(true)
    expect(await page.getByLabel('customer', { exact: true }).inputValue()).toBe('')

    for (const index of [0, 1]) await rows().nth(index).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Compare 2 runs' }).click()
    const comparison = page.getByRole('dialog', { name: 'Compare 2 runs' })
    await comparison.getByText('compared against').waitFor()
    expect(await comparison.locator('li[data-execution-id]').count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('compare')).toMatch(/^\d+,\d+$/)
    await page.keyboard.press('Escape')
    await comparison.waitFor({ state: 'detached' })

    await chooseOnPage(page, 'Use in a chain')
    await page.getByRole('dialog', { name: 'Use in a chain' }).getByText('A new chain').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Open the chain' }).click()
    await page.getByRole('heading', { name: 'Launch mail', level: 1 }).waitFor()
    await page.getByText('Output: launch_mail').waitFor()
  },
  WAIT_MS,
)

async function createPrompt(): Promise<number> {
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  await api.post('/api/variables', {
    ...{ name: 'terms', type: 'googleDrive', googleDriveFileId: 'drive-1', googleDriveFileName: 'Terms' },
  })
  const content = 'Write a mail for $<customer>.\n\nTerms: $<terms>'
  const prompt = { title: 'Launch mail', content, categoryId: category?.id }
  return (await api.post<{ id: number }>('/api/prompts', prompt)).id
}
