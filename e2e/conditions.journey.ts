import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectCleanPage, type Hand, keys, mouse, write } from './harness/hands.ts'
import { expectToast } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const SCHEMA = {
  type: 'object',
  properties: { severity: { type: 'string', enum: ['none', 'low', 'high'] } },
  required: ['severity'],
  additionalProperties: false,
}

let openai: FakeProvider
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault(({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('Warn of')) return { text: 'The pump burns: send someone.' }
    if (asked.includes('File')) return { text: 'Filed.' }
    return { text: JSON.stringify({ severity: asked.includes('on fire') ? 'high' : 'none' }) }
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
  'A chain that triages, warns or files, and stops where nothing is to be done, is built and run, with the mouse and with keys alone. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Triage' })
    const page = await open(`/chains/${id}`)
    const form = page.getByRole('dialog', { name: 'Add Step' })
    const named = (name: string) => form.getByLabel(name, { exact: true })

    await page.getByText('No steps yet').waitFor()
    await hand.press(page.getByRole('button', { name: 'Add First Step' }))
    await hand.write(named('Output variable name'), 'triage')
    await hand.write(named('Title'), 'Triage the mail')
    await hand.write(form.getByRole('textbox', { name: 'Content' }), 'Triage this: {{input}}')
    await hand.choose(form.getByRole('radio', { name: 'JSON by schema' }))
    await hand.press(form.getByRole('switch', { name: 'Edit as JSON' }))
    const schema = form.getByRole('textbox', { name: 'JSON schema' })
    await write(page, hand, { field: schema, text: JSON.stringify(SCHEMA) })
    await save(page, hand, 'Triage the mail')

    await begin(page, hand)
    await hand.choose(form.getByRole('radio', { name: /^Stop/ }))
    await hand.write(named('Title'), 'Nothing to do')
    const output = form.getByRole('textbox', { name: 'Output of the run' })
    await hand.write(output, 'Nothing to do: {{triage.severity}}.')
    await onlyIf(page, hand, 'none')
    await expectCleanPage(page)
    await save(page, hand, 'Nothing to do')

    await begin(page, hand)
    await hand.write(named('Output variable name'), 'warning')
    await hand.write(named('Title'), 'Warn the on-call')
    await hand.write(form.getByRole('textbox', { name: 'Content' }), 'Warn of this: {{triage.severity}}')
    await onlyIf(page, hand, 'high')
    await save(page, hand, 'Warn the on-call')
    const warn = cardOf(page, 'Warn the on-call')
    await warn.getByText('only if triage.severity is high').waitFor()

    await hand.press(warn.getByRole('button', { name: /^Else/ }))
    await form.getByRole('button', { name: 'When it runs: only if triage.severity is not high' }).waitFor()
    await hand.write(named('Output variable name'), 'note')
    await hand.write(named('Title'), 'File it')
    await hand.write(form.getByRole('textbox', { name: 'Content' }), 'File this: {{triage.severity}}')
    await save(page, hand, 'File it')
    await expectCleanPage(page)

    await run(page, hand, 'The pump is on fire.')
    await expectToast(page, ['Chain executed', '2 of 4 steps ran.'])
    await cardOf(page, 'Nothing to do').getByText('skipped', { exact: true }).waitFor()
    await cardOf(page, 'File it').getByText('skipped', { exact: true }).waitFor()
    await cardOf(page, 'Warn the on-call').getByText(/^done/).waitFor()
    const result = page.getByRole('figure', { name: 'Last Execution Result' })
    await result.getByText('The pump burns: send someone.').waitFor()
    await expectCleanPage(page)

    await run(page, hand, 'Thank you all.')
    await result.getByText('Nothing to do: none.').waitFor()
    await cardOf(page, 'Warn the on-call').getByText('The run ended before it').waitFor()
    await cardOf(page, 'File it').getByText('The run ended before it').waitFor()
    expect(openai.journal.filter(({ body }) => JSON.stringify(body).includes('File this'))).toHaveLength(0)
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

async function begin(page: Page, hand: Hand): Promise<void> {
  await hand.press(page.getByRole('button', { name: /^Add Step/ }))
  await page.getByRole('dialog', { name: 'Add Step' }).waitFor()
}

async function onlyIf(page: Page, hand: Hand, severity: string): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add Step' })
  await hand.press(form.getByRole('button', { name: 'When it runs: always' }))
  await hand.choose(form.getByRole('radio', { name: 'Only if' }))
  const name = form.getByRole('combobox', { name: 'Name in condition 1' })
  await hand.write(name, 'sev')
  await hand.take(name, page.getByRole('option', { name: /^triage.severity/ }))
  const value = form.getByRole('combobox', { name: 'Value in condition 1' })
  await hand.write(value, severity)
  await hand.take(value, page.getByRole('option', { name: severity }))
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
