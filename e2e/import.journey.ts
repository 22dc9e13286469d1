import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const OBJECT = {
  id: 'pmpt_68a1b2c3d4',
  name: 'Refund reply',
  version: '7',
  messages: [
    { role: 'developer', content: 'You write for Acme.' },
    { role: 'user', content: 'Answer {{customer}} kindly.' },
  ],
  tools: [{ type: 'function', name: 'find_order' }],
}

let server: RunningServer
let api: Api
let browser: OpenBrowser | undefined
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
}, TIMEOUT_MS)
afterEach(() => browser?.close())
afterAll(() => server?.dispose())

test(
  'Paste, dry run, import, run and undo are done on one dialog, which the library and the palette open.',
  async () => {
    showLogsOnFailure(server)
    browser = await openBrowser()
    await browser.context.addCookies(api.cookies())
    const page = await browser.context.newPage()
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Import' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByLabel('Or paste text').fill(JSON.stringify(OBJECT))
    await dialog.getByRole('button', { name: 'Check it' }).click()
    await dialog.getByText('Tools are kept as a note, not run: find_order').waitFor()
    await dialog.getByText('1 new. You can undo the whole import for a day.').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('1 prompt imported').waitFor()

    const [prompt] = await api.get<{ id: number; content: string }[]>('/api/prompts')
    expect(prompt).toMatchObject({ content: 'Answer $<customer> kindly.', isPublic: false })
    const run = await api.post<{ result: string }>('/api/execute-prompt', {
      ...{ promptId: prompt?.id, model: 'claude', userInput: '', variables: { customer: 'Grace' } },
    })
    expect(run.result).toContain('[sandbox]')

    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('Undone: 1 prompt removed').waitFor()
    expect(await api.get('/api/prompts')).toEqual([])
  },
  TIMEOUT_MS,
)
