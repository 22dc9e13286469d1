import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectCleanPage, type Hand, keys, mouse, write } from './harness/hands.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const TICKETS = ['The pump leaks', 'The lamp is dark', 'The rope is gone']
const LIST = TICKETS.map((ticket, index) => `${index + 1}. ${ticket}`).join('\n')

let openai: FakeProvider
/** Whether the lamp’s ticket can be answered. */
let isLampAnswered = false
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault(({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('List the tickets')) return { text: LIST }
    const ticket = TICKETS.find((each) => asked.includes(`Answer this: ${each}`))
    if (!ticket) return { text: 'All are answered.' }
    if (ticket.includes('lamp') && !isLampAnswered) return { status: 400, message: 'Nobody speaks of lamps.' }
    return { text: `We see to it: ${ticket}.` }
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
  isLampAnswered = false
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
  'A chain that answers each ticket of a list is built and run, and the one that failed is retried alone. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Tickets' })
    const page = await open(`/chains/${id}`)
    const form = page.getByRole('dialog', { name: 'Add Step' })
    const named = (name: string) => form.getByLabel(name, { exact: true })

    await page.getByText('No steps yet').waitFor()
    await hand.press(page.getByRole('button', { name: 'Add First Step' }))
    await hand.write(named('Output variable name'), 'tickets')
    await hand.write(named('Title'), 'List the tickets')
    await hand.write(form.getByRole('textbox', { name: 'Content' }), 'List the tickets in {{input}}')
    await save(page, hand, 'List the tickets')

    await hand.press(page.getByRole('button', { name: /^Add Step/ }))
    await form.waitFor()
    await hand.write(named('Output variable name'), 'answers')
    await hand.write(named('Title'), 'Answer each ticket')
    await hand.write(form.getByRole('textbox', { name: 'Content' }), 'Answer this: {{item}}')
    await hand.press(form.getByRole('button', { name: 'How often it runs: once' }))
    await hand.choose(form.getByRole('radio', { name: 'For each item' }))
    const list = form.getByRole('combobox', { name: 'List' })
    await hand.write(list, 'tick')
    await hand.take(list, page.getByRole('option', { name: /^tickets/ }))
    await hand.choose(form.getByRole('radio', { name: 'It is left out' }))
    await form
      .getByRole('button', { name: /^How often it runs: for each item of tickets, up to 50/ })
      .waitFor()
    await expectCleanPage(page)
    await save(page, hand, 'Answer each ticket')
    const each = cardOf(page, 'Answer each ticket')
    await each.getByText('for each item of tickets, up to 50').waitFor()

    await run(page, hand, 'Three mails.')
    await each.getByText(/^done · 1 left out/).waitFor()
    await each.getByText('2 of 3 done · 1 failed').waitFor()
    await hand.press(each.getByRole('button', { name: 'Items of step 2' }))
    const lamp = each.getByRole('button', { name: /The lamp is dark/ })
    await lamp.getByText('failed', { exact: true }).waitFor()
    await hand.press(lamp)
    await each
      .getByText(/Nobody speaks of lamps/)
      .first()
      .waitFor()
    await expectCleanPage(page)

    isLampAnswered = true
    const asked = openai.journal.length
    await hand.press(each.getByRole('button', { name: 'Retry 1 failed item' }))
    const result = page.getByRole('figure', { name: 'Last Execution Result' })
    await result.getByText('We see to it: The lamp is dark.').waitFor()
    await each.getByText(/^done · 1 left out/).waitFor({ state: 'detached' })
    expect(openai.journal.length - asked).toBe(1)
    const text = (await result.innerText()).replace(/\s+/g, ' ')
    expect(text).toContain(TICKETS.map((ticket) => `We see to it: ${ticket}.`).join(' '))
  },
  TIMEOUT_MS,
)

async function open(path: string): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(olga.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}

async function save(page: Page, hand: Hand, title: string): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add Step' })
  if (hand === mouse) await form.getByRole('button', { name: /^Add Step/ }).click()
  else await page.keyboard.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await cardOf(page, title).waitFor()
}

async function run(page: Page, hand: Hand, input: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Execute Chain' })
  if (hand === mouse) await page.getByRole('button', { name: /^Execute Chain/ }).click()
  else await page.keyboard.press('Control+Enter')
  await write(page, hand, { field: dialog.getByLabel('Input'), text: input })
  if (hand === mouse) await dialog.getByRole('button', { name: /^Execute Chain/ }).click()
  else await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
}

function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title })
}
