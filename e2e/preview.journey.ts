import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectCleanPage, type Hand, keys, mouse } from './harness/hands.ts'
import { expectText } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const STEPS = [
  { title: 'Triage the mail', outputVariableName: 'triage', content: 'Triage this: {{input}}' },
  {
    title: 'Warn the on-call',
    outputVariableName: 'warning',
    content: 'Warn of this: {{triage}}',
    onlyIf: { all: [{ ref: 'triage', op: 'contains', value: 'fire' }] },
  },
  { title: 'Answer it', outputVariableName: 'answer', content: 'Answer this: {{triage}} / {{warning}}' },
]

let openai: FakeProvider
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault(({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('Warn of')) return { text: 'The pump burns.' }
    if (asked.includes('Answer this')) return { text: 'We are on our way.' }
    return { text: asked.includes('fire') ? 'A fire at the pump' : 'A word of thanks' }
  })
  const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: openai.url, LOG_LEVEL: 'warn' }
  server = await startServer({ env })
  olga = createApi(server.url)
  await olga.post('/api/register', {
    username: 'olga',
    email: 'olga@example.org',
    password: 'a bridge hangs by its own weight',
  })
  browser = await openBrowser()
}, TIMEOUT_MS)
beforeEach(() => {
  openai.journal.length = 0
})
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await openai?.close()
})

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'What a step would send is read with the values of two runs, and a new run begins there without paying for the steps before it. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Answer a mail' })
    for (const step of STEPS) await olga.post(`/api/chains/${id}/steps`, { ...step, model: 'openai' })
    const thanks = await ran(id, 'Thank you all.')
    const fire = await ran(id, 'The pump is on fire.')
    expect(openai.journal).toHaveLength(5)

    const page = await open(`/chains/${id}`)
    await page.getByRole('article', { name: 'Answer it' }).waitFor()
    await pick(page, hand, { of: 'Warn the on-call', item: 'Preview' })
    const dialog = page.getByRole('dialog', { name: 'Preview of step 2' })
    const text = dialog.getByRole('figure', { name: 'What would be sent' })
    await dialog.getByText('it holds, so the step runs').waitFor()
    await text.getByText('A fire at the pump').waitFor()
    await expectCleanPage(page)
    await hand.press(dialog.getByRole('combobox', { name: 'With the values of' }))
    await take(page, hand, page.getByRole('option', { name: new RegExp(`^#${thanks} `) }))
    await dialog.getByText('it doesn’t hold, so the step is skipped').waitFor()
    await text.getByText('A word of thanks').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(openai.journal).toHaveLength(5)

    await pick(page, hand, { of: 'Answer it', item: 'Preview' })
    const last = page.getByRole('dialog', { name: 'Preview of step 3' })
    await last.getByText('The pump burns.').waitFor()
    await hand.press(last.getByRole('button', { name: 'Run from here' }))
    await last.waitFor({ state: 'detached' })
    await page.getByText('Chain executed').first().waitFor()
    expect(openai.journal).toHaveLength(6)
    expect(JSON.stringify(openai.journal.at(-1)?.body)).toContain('A fire at the pump / The pump burns.')

    await hand.press(page.getByRole('button', { name: /Execution History$/ }))
    const newest = page.getByRole('region', { name: 'Execution history' }).getByRole('article').first()
    await expectText(newest.getByText(/^Started by hand/), new RegExp(`from #${fire}, step 3 · `))
    await hand.press(newest.getByRole('button', { name: 'View Details' }))
    const steps = page.getByRole('list', { name: /^Steps of execution/ })
    await steps.getByRole('button', { name: new RegExp(`Triage the mail.*from #${fire}`) }).waitFor()
    await expectCleanPage(page)

    // From a run that began in the middle, another one begins there in the same way.
    await hand.press(steps.getByRole('button', { name: /Answer it/ }))
    await hand.press(steps.getByRole('button', { name: 'Run from here' }))
    await expect.poll(() => openai.journal.length, { timeout: 20_000 }).toBe(7)
  },
  TIMEOUT_MS,
)

/** The id of a run that has ended. */
async function ran(chainId: number, input: string): Promise<number> {
  const { id } = await olga.post<{ id: number }>(`/api/chains/${chainId}/execute`, { input })
  const status = async () => (await olga.get<{ status: string }>(`/api/executions/${id}/status`)).status
  await expect.poll(status, { timeout: 20_000 }).toBe('completed')
  return id
}

async function open(path: string): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(olga.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}

async function pick(page: Page, hand: Hand, { of, item }: { of: string; item: string }): Promise<void> {
  await hand.press(page.getByRole('button', { name: `More: ${of}` }))
  await take(page, hand, page.getByRole('menuitem', { name: item }))
}

/** Of an open menu or list. */
async function take(page: Page, hand: Hand, item: Locator): Promise<void> {
  await item.waitFor()
  if (hand === mouse) return item.click()
  const isFocused = () => item.evaluate((element) => element === document.activeElement)
  for (let moves = 0; moves < 12 && !(await isFocused()); moves += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
