import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
  setCondition,
  setSchema,
  stepForm,
  writeStep,
} from './harness/chain-builder.ts'
import { expectCleanPage, keys, mouse } from './harness/hands.ts'
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
    const form = stepForm(page)
    const builder = { page, hand }
    const severity = { typed: 'sev', name: /^triage.severity/ }

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Triage the mail',
      output: 'triage',
      content: 'Triage this: {{input}}',
    })
    await setSchema(builder, SCHEMA)
    await saveStep(builder, 'Triage the mail')

    await beginStep(builder)
    await hand.choose(form.getByRole('radio', { name: /^Stop/ }))
    await hand.write(form.getByLabel('Title', { exact: true }), 'Nothing to do')
    const output = form.getByRole('textbox', { name: 'Output of the run' })
    await hand.write(output, 'Nothing to do: {{triage.severity}}.')
    await setCondition(builder, { ...severity, value: 'none' })
    await expectCleanPage(page)
    await saveStep(builder, 'Nothing to do')

    await beginStep(builder)
    await writeStep(builder, {
      title: 'Warn the on-call',
      output: 'warning',
      content: 'Warn of this: {{triage.severity}}',
    })
    await setCondition(builder, { ...severity, value: 'high' })
    await saveStep(builder, 'Warn the on-call')
    const warn = cardOf(page, 'Warn the on-call')
    await warn.getByText('only if triage.severity is high').waitFor()

    await hand.press(warn.getByRole('button', { name: /^Else/ }))
    await form.getByRole('button', { name: 'When it runs: only if triage.severity is not high' }).waitFor()
    await writeStep(builder, { title: 'File it', output: 'note', content: 'File this: {{triage.severity}}' })
    await saveStep(builder, 'File it')
    await expectCleanPage(page)

    await runChain(builder, 'The pump is on fire.')
    await expectToast(page, ['Chain executed', '2 of 4 steps ran.'])
    await cardOf(page, 'Nothing to do').getByText('skipped', { exact: true }).waitFor()
    await cardOf(page, 'File it').getByText('skipped', { exact: true }).waitFor()
    await cardOf(page, 'Warn the on-call').getByText(/^done/).waitFor()
    const result = page.getByRole('figure', { name: 'Last Execution Result' })
    await result.getByText('The pump burns: send someone.').waitFor()
    await expectCleanPage(page)

    await runChain(builder, 'Thank you all.')
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
