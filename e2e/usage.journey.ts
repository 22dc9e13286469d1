import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { chooseOnPage, expectAddress } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
/** An answer costs 1.1 US cents. */
const PRICES = '{"fake-model": {"inputPerMillionUsd": 1000, "outputPerMillionUsd": 0}}'

let claude: FakeProvider
let server: RunningServer
let api: Api
let browser: OpenBrowser
beforeAll(async () => {
  claude = await startFakeProvider({ vendor: 'anthropic' })
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: claude.url, CLAUDE_MODEL: 'fake-model' }
  server = await startServer({ env: { ...env, MODEL_PRICES: PRICES, LOG_LEVEL: 'warn' } })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  browser = await openBrowser()
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await claude?.close()
})

test(
  'Each plot is a table too, has a crosshair by keyboard, and an address.',
  async () => {
    showLogsOnFailure(server)
    const [category] = await api.get<{ id: number }[]>('/api/categories')
    const prompt = { title: 'Tone check', content: 'Is this kind?', categoryId: category?.id }
    const { id } = await api.post<{ id: number }>('/api/prompts', prompt)
    const run = () => api.call('POST', '/api/execute-prompt', { promptId: id, model: 'claude' })
    expect((await run()).status).toBe(200)
    claude.reply({ status: 401 })
    expect((await run()).status).toBe(502)
    expect((await run()).status).toBe(200)

    await browser.context.addCookies(api.cookies())
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/execute/${id}?history=open`)
    await page.getByRole('link', { name: /^The last 3 runs: 1 failed/ }).waitFor()
    await chooseOnPage(page, 'Versions 1')
    await page.getByRole('radio', { name: /Version 1.*3 runs/ }).waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('cost')
    await page.getByRole('option', { name: /^Usage/ }).click()
    await expectAddress(page, '/usage')
    const tile = (name: string) => page.getByRole('definition').filter({ hasText: name })
    await tile('$0.022').waitFor()
    await tile('33.3 %').waitFor()
    await page.getByRole('radio', { name: 'Everyone' }).click()
    await page.getByRole('radio', { name: '7 days' }).click()
    await expectAddress(page, '/usage?scope=everyone&days=7')

    const asTable = page.getByRole('button', { name: 'Runs a day as table' })
    const rows = page.getByRole('region', { name: 'Runs a day, table' }).getByRole('row')
    await asTable.click()
    // A head and seven days: until they have come the chart is that of thirty.
    await rows.nth(8).waitFor({ state: 'detached' })
    await rows.nth(7).getByRole('link', { name: '2', exact: true }).waitFor()
    await asTable.click()
    const chart = page.getByRole('figure', { name: 'Runs a day, by how they ended' })
    const today = chart.getByRole('link', { name: /3 runs, 2 completed, 1 failed, 0 stopped$/ })
    await today.focus()
    await page.keyboard.press('ArrowLeft')
    await chart.getByRole('link', { name: / 0 runs, 0 completed/ }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Back to Usage' }).click()
    await expectAddress(page, '/usage?scope=everyone&days=7')

    await page.getByRole('link', { name: 'API key refused' }).click()
    await expectAddress(page, '/usage/runs?scope=everyone&days=7&reason=model_key')
    await page.getByRole('link', { name: 'Tone check' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: 'Back to Usage' }).click()
    await expectAddress(page, '/usage?scope=everyone&days=7')

    const { id: userId } = await api.get<{ id: number }>('/api/user')
    await api.call('PATCH', `/api/admin/users/${userId}/quotas`, { money: 2 })
    await page.goto(`${server.url}/usage`)
    await page.getByText(/^Your \$0\.020 monthly budget is used up/).waitFor()
    await page.goto(`${server.url}/execute/${id}`)
    await page.getByRole('button', { name: /^Execute/ }).click()
    await page.getByRole('heading', { name: 'Budget spent' }).waitFor()
    await page
      .getByText(/^Your budget of \$0\.020 a month is used up\./)
      .first()
      .waitFor()
    expect(claude.journal).toHaveLength(3)
  },
  TIMEOUT_MS,
)
