import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { chooseOnPage, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const WAIT_MS = 120_000
const FIRST = 'Write about bridges for $<customer>.'
/** Its answer has many more words than one that is good. */
const BAD = `${FIRST} ${'so '.repeat(200)}`

let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
let promptId: number
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const prompt = await api.post<{ id: number }>('/api/prompts', {
    ...{ title: 'Launch mail', content: FIRST, categoryId: 1 },
  })
  promptId = prompt.id
  await api.call('PUT', `/api/prompts/${promptId}/labels/production`, {
    ...{ version: 1, expectedVersion: null, reason: 'The first that is live' },
  })
  const rule = { whoMayMove: 'owners', needsSuite: true }
  await api.call('PUT', '/api/admin/protected-labels/production', rule)
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
}, WAIT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

test(
  'Write, run on three models, save the best as a version, save two tests, evaluate against production, move the label: code that fetches the prompt sees it.',
  async () => {
    const { token } = await api.post<{ token: string }>('/api/read-tokens', {
      ...{ name: 'Site', promptIds: [promptId], mayRun: false },
    })
    const fetched = async () => {
      const url = `${server.url}/api/public/v2/prompts/launch-mail?resolve=false`
      const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      return ((await reply.json()) as { prompt: string }).prompt
    }
    expect(await fetched()).toBe('Write about bridges for {{customer}}.')

    await page.goto(`${server.url}/execute/${promptId}?with=openai,gemini`)
    await page.getByLabel('customer').fill('Ada')
    await page.getByRole('textbox', { name: 'Prompt' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nEnd with a question.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('3 done').waitFor()
    await page.getByLabel('Note on version 2').fill('ends with a question')
    await page.getByRole('button', { name: 'More: Gemini' }).click()
    await page.getByRole('menuitem', { name: 'Save as version 2' }).click()
    await page.getByText('Prompt updated').first().waitFor()

    for (const name of ['Ada', 'Ada, once more']) {
      await page.getByRole('button', { name: 'More: Gemini' }).click()
      await page.getByRole('menuitem', { name: 'Save as test' }).click()
      const form = dialog('Save as test')
      await form.getByLabel('Name').fill(name)
      await form.getByRole('button', { name: 'Save Test' }).click()
      await form.waitFor({ state: 'detached' })
    }
    await chooseOnPage(page, 'Tests')
    await page.getByRole('button', { name: 'Ada, once more', exact: true }).waitFor()

    await evaluate()
    for (const version of ['v1', 'v2']) await page.getByText(version).first().waitFor()
    await page.getByText('2 of 2 pass').nth(1).waitFor()

    await moveProductionTo(2)
    const move = dialog('Move production 1 → 2')
    await move.getByText('Its tests pass on version 2, as production requires.').waitFor()
    await page.keyboard.press('Control+Enter')
    await move.waitFor({ state: 'detached' })
    await expect.poll(fetched, PATIENCE).toBe('Write about bridges for {{customer}}.\nEnd with a question.')
  },
  WAIT_MS,
)

test(
  'The gate refuses a version that fails, and shows its results; a move is undone.',
  async () => {
    const { revision } = await api.get<{ revision: number }>(`/api/prompts/${promptId}`)
    await api.call('PUT', `/api/prompts/${promptId}`, {
      ...{ title: 'Launch mail', content: BAD, categoryId: 1, revision },
    })
    await page.goto(`${server.url}/prompts/${promptId}/tests`)
    await evaluate()
    await page
      .getByText(/\d+ words, at most \d+/)
      .first()
      .waitFor()

    await moveProductionTo(3)
    const move = dialog('Move production 2 → 3')
    await move.getByText(/Failing: Ada/).waitFor()
    await page.keyboard.press('Control+Enter')
    await move.getByText('Say why you are moving it although its tests haven’t passed').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^production moved/ }).click()
    await dialog(/^Label history/)
      .getByRole('button', { name: 'Undo' })
      .first()
      .click()
    await expect
      .poll(async () => {
        const { labels } = await api.get<{ labels: unknown[] }>(`/api/prompts/${promptId}/labels`)
        return labels
      }, PATIENCE)
      .toMatchObject([{ label: 'production', version: 1 }])
  },
  WAIT_MS,
)

/** From the tests of the prompt: its newest version against the one that is live. */
async function evaluate(): Promise<void> {
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click()
  await dialog('Run evaluation')
    .getByRole('button', { name: /^Run evaluation/ })
    .click()
  await page.getByRole('heading', { name: /^Evaluation #/ }).waitFor()
  await page.getByText(/^This evaluation cost/).waitFor()
}

async function moveProductionTo(version: number): Promise<void> {
  await page.goto(`${server.url}/execute/${promptId}`)
  await chooseOnPage(page, /^Versions/)
  await page.getByRole('radio', { name: new RegExp(`^Version ${version}`) }).click()
  await page.getByRole('button', { name: 'Labels' }).click()
  await page.getByRole('menuitem', { name: 'Move production here' }).click()
}
