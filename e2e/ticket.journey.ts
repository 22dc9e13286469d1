import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import {
  askPerson,
  beginStep,
  cardOf,
  runChain,
  saveStep,
  setCondition,
  setList,
  setSchema,
  stepForm,
  writeStep,
} from './harness/chain-builder.ts'
import { expectCleanPage, keys, mouse, write } from './harness/hands.ts'
import { expectToast, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const SCHEMA = {
  type: 'object',
  properties: {
    severity: { type: 'string', enum: ['low', 'high'] },
    summary: { type: 'string' },
    items: { type: 'array', items: { type: 'string' } },
  },
  required: ['severity', 'summary', 'items'],
  additionalProperties: false,
}
const TRIAGED = {
  severity: 'high',
  summary: 'Nobody can sign in',
  items: ['They can’t sign in', 'They were charged', 'They say hello'],
}

let openai: FakeProvider
let server: RunningServer
let maren: Api
let ana: Api
let browser: OpenBrowser
let browserOfAna: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault(({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('Triage this')) return { text: JSON.stringify(TRIAGED) }
    if (asked.includes('Warn of')) return { text: 'On-call is warned.' }
    if (asked.includes('They say hello')) return { status: 400, message: 'Nothing to answer.' }
    if (asked.includes('Answer this')) return { text: 'You can sign in again.' }
    return { text: asked.includes('Create a ticket') ? 'SUP-1482' : 'Sent.' }
  })
  const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: openai.url, LOG_LEVEL: 'warn' }
  server = await startServer({ env })
  ;[maren, ana] = [await register('maren'), await register('ana')]
  browser = await openBrowser()
  browserOfAna = await openBrowser()
}, TIMEOUT_MS)
afterEach(async () => {
  for (const { context } of [browser, browserOfAna]) for (const page of context.pages()) await page.close()
  openai.journal.length = 0
})
afterAll(async () => {
  await browser?.close()
  await browserOfAna?.close()
  await server?.dispose()
  await openai?.close()
})

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'A chain that triages a mail, warns, answers item by item, opens a ticket, asks a person and sends what they approved is built and run. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const { id } = await maren.post<{ id: number }>('/api/chains', {
      name: 'Ticket to answer',
      sharedLevel: 'shared',
    })
    await maren.call('PUT', `/api/chains/${id}/shares`, [{ username: 'ana', role: 'viewer' }])
    const page = await open({ who: maren, of: browser, path: `/chains/${id}` })
    const form = stepForm(page)
    const builder = { page, hand }

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Triage the mail',
      output: 'triage',
      content: 'Triage this: {{input}}',
    })
    await setSchema(builder, SCHEMA)
    await saveStep(builder, 'Triage the mail')

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Warn the on-call',
      output: 'warning',
      content: 'Warn of this: {{triage.summary}}',
    })
    await setCondition(builder, { typed: 'sev', name: /^triage.severity/, value: 'high' })
    await saveStep(builder, 'Warn the on-call')

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Answer each item',
      output: 'answers',
      content: 'Answer this: {{item}}',
    })
    await setList(builder, { typed: 'items', list: /^triage.items/ })
    const number = (label: string, text: string) =>
      write(page, hand, { field: form.getByLabel(label, { exact: true }), text })
    await number('Maximum items', '20')
    await number('Items at once', '4')
    await hand.choose(form.getByRole('radio', { name: 'It is left out' }))
    await saveStep(builder, 'Answer each item')

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Create the ticket',
      output: 'ticket',
      content: 'Create a ticket: {{triage.summary}}, {{triage.severity}}',
    })
    await saveStep(builder, 'Create the ticket')

    await beginStep(builder)
    await hand.choose(form.getByRole('radio', { name: /^Ask/ }))
    await hand.write(form.getByLabel('Title', { exact: true }), 'Ana approves the answer')
    await hand.write(form.getByLabel('Output variable name', { exact: true }), 'approved')
    await hand.write(form.getByLabel('Question', { exact: true }), 'May this be sent?')
    await hand.write(form.getByRole('textbox', { name: 'Text to decide on' }), '{{answers}}')
    await hand.press(form.getByRole('switch', { name: 'Whoever answers may edit this text' }))
    await askPerson(builder, 'ana')
    await saveStep(builder, 'Ana approves the answer')

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Send the answer',
      output: 'sent',
      content: 'Send {{approved.text}} about {{ticket}}',
    })
    await saveStep(builder, 'Send the answer')
    await cardOf(page, 'Answer each item')
      .getByText('for each item of triage.items, up to 20, 4 at once')
      .waitFor()
    await expectCleanPage(page)

    await runChain(builder, 'We can’t sign in, and were charged. Hello to all!')
    await cardOf(page, 'Warn the on-call').getByText(/^done/).waitFor()
    await cardOf(page, 'Answer each item').getByText('2 of 3 done · 1 failed').waitFor()
    await cardOf(page, 'Ana approves the answer')
      .getByText(/^waiting for ana/)
      .waitFor()
    await expectCleanPage(page)

    const asked = await open({ who: ana, of: browserOfAna, path: '/asks' })
    const card = asked.getByRole('article', { name: 'May this be sent?' })
    await card.getByText('You can sign in again.').first().waitFor()
    await hand.press(card.getByRole('button', { name: 'Approve', exact: true }))
    await expectToast(asked, ['Answered: Approve', 'The run goes on.'])

    await page.getByRole('figure', { name: 'Last Execution Result' }).getByText('Sent.').waitFor()
    await cardOf(page, 'Send the answer').getByText(/^done/).waitFor()
    await expect
      .poll(() => JSON.stringify(openai.journal.at(-1)?.body), PATIENCE)
      .toMatch(/Send .*You can sign in again.* about SUP-1482/)
    await expectCleanPage(page)
  },
  TIMEOUT_MS,
)

async function register(username: string): Promise<Api> {
  const api = createApi(server.url)
  const password = 'a bridge hangs by its own weight'
  await api.post('/api/register', { username, email: `${username}@example.org`, password })
  return api
}

async function open({ who, of, path }: { who: Api; of: OpenBrowser; path: string }): Promise<Page> {
  await of.context.clearCookies()
  await of.context.addCookies(who.cookies())
  const page = await of.context.newPage()
  await page.goto(server.url + path)
  return page
}
