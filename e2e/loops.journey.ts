import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import {
  beginStep,
  cardOf,
  runChain,
  saveStep,
  setList,
  stepForm,
  writeStep,
} from './harness/chain-builder.ts'
import { expectCleanPage, keys, mouse } from './harness/hands.ts'
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
    const form = stepForm(page)
    const builder = { page, hand }

    await beginStep(builder)
    await writeStep(builder, {
      title: 'List the tickets',
      output: 'tickets',
      content: 'List the tickets in {{input}}',
    })
    await saveStep(builder, 'List the tickets')

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Answer each ticket',
      output: 'answers',
      content: 'Answer this: {{item}}',
    })
    await setList(builder, { typed: 'tick', list: /^tickets/ })
    await hand.choose(form.getByRole('radio', { name: 'It is left out' }))
    await form
      .getByRole('button', { name: /^How often it runs: for each item of tickets, up to 50/ })
      .waitFor()
    await expectCleanPage(page)
    await saveStep(builder, 'Answer each ticket')
    const each = cardOf(page, 'Answer each ticket')
    await each.getByText('for each item of tickets, up to 50').waitFor()

    await runChain(builder, 'Three mails.')
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
