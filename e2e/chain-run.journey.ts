import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { injectFault } from './harness/faults.ts'
import { expectToast } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'
const ANSWER = ['Three groups of tickets ', 'came out of it.']

let claude: FakeProvider
let openai: FakeProvider
let server: RunningServer
let olga: Api
let vic: Api
let browser: OpenBrowser

beforeAll(async () => {
  claude = await startFakeProvider({ vendor: 'anthropic' })
  openai = await startFakeProvider({ vendor: 'openai' })
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: claude.url, OPENAI_API_KEY: 'key' }
  server = await startServer({ env: { ...env, OPENAI_BASE_URL: openai.url, LOG_LEVEL: 'warn' } })
  // The first account is admin.
  olga = await register('olga')
  vic = await register('vic')
  await olga.post('/api/variables', { type: 'text', name: 'support', content: 'Ticket one. Ticket two.' })
  browser = await openBrowser()
}, TIMEOUT_MS)
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
  claude.reset()
  openai.reset()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await claude?.close()
  await openai?.close()
})

test(
  '‘Execute Chain’, ‘Starting execution...’, ‘Execution in progress...’, ‘Executing chain ID ... Please wait for results.’: the input is asked for only if a step uses it, warnings come first (D28).',
  async () => {
    showLogsOnFailure(server)
    const id = await buildDigest()
    const page = await open({ as: olga, path: `/chains/${id}` })
    await page.getByRole('button', { name: 'More: Mail' }).click()
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await expectToast(page, ['Steps reordered', '“Mail” is now step 5 of 5.'])

    const release = holdAnswer()
    openai.replyByDefault({ status: 500, message: 'It rests' })
    await page.getByRole('button', { name: /^Execute Chain/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Execute Chain' })
    await dialog.getByLabel('Input').fill('the support team')
    await page.keyboard.press('Control+Enter')
    await expectToast(page, ['Chain execution started', 'Execution #1 is running.'])
    await page.getByText(`Executing chain ID ${id} ... Please wait for results.`).waitFor()
    expect(await page.getByRole('button', { name: 'Execution in progress...' }).isDisabled()).toBe(true)
    await stepOf(page, 'Collect')
      .getByText(/^running/)
      .waitFor()
    await stepOf(page, 'Collect')
      .getByText(/^Three groups/)
      .waitFor()
    await stepOf(page, 'Digest').getByText('waiting').waitFor()

    await page.goto(`${server.url}/chains`)
    await page.goto(`${server.url}/chains/${id}`)
    await page.getByText(`Executing chain ID ${id} ... Please wait for results.`).waitFor()
    release()
    const digest = stepOf(page, 'Digest')
    await digest.getByText('failed after 4 attempts').waitFor()
    await page.getByText('Chain execution failed', { exact: true }).waitFor()
    await stepOf(page, 'Collect')
      .getByText(/^done · .+ tokens$/)
      .waitFor()
    await digest.getByText('Steps 1 and 2 are kept and will not be paid for again.').waitFor()
    await digest.getByRole('button', { name: 'Rendered input' }).click()
    await digest.getByRole('button', { name: '{{input_context}} input of the run' }).waitFor()
    const source = digest.getByRole('button', { name: '{{tickets}} output of step 1, Collect' })
    await source.focus()
    await page.keyboard.press('Enter')
    expect(await source.getAttribute('aria-pressed')).toBe('true')
    expect(await digest.locator('[data-source="output.tickets"]').textContent()).toBe(ANSWER.join(''))
    await expectCleanPage(page)

    await digest.getByRole('button', { name: 'Edit step: Digest' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Step' })
    const model = form.getByRole('combobox', { name: 'Model' })
    await model.click()
    await page.getByRole('option', { name: /^Claude/ }).click()
    await model.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+Enter')
    await expectToast(page, ['Step updated', '“Digest” was saved.'])
    await digest.getByRole('button', { name: 'Resume from here' }).click()
    await expectToast(page, ['Chain executed', 'All 5 steps are done.'])
    await digest.getByText(/^done/).waitFor()
    expect(claude.journal, 'no completed step was paid for again').toHaveLength(5)
    await page
      .getByRole('figure', { name: 'Last Execution Result' })
      .getByText(/^Fake anthropic/)
      .waitFor()

    await page.keyboard.press('Control+Enter')
    expect(await dialog.getByLabel('Input').inputValue(), 'the last input').toBe('the support team')
    await dialog.getByLabel('Input').fill('the board')
    const releaseSecond = holdAnswer()
    await page.keyboard.press('Control+Enter')
    await expectToast(page, ['Chain execution started', 'Execution #2 is running.'])
    releaseSecond()
    await expectToast(page, ['Chain executed', 'All 5 steps are done.'])
    await page.getByRole('button', { name: 'Show Execution History' }).click()
    const second = runOf(page, 2)
    await second.getByText('completed', { exact: true }).waitFor()
    await second.getByRole('button', { name: 'View Details' }).click()
    await second.getByRole('button', { name: /Collect/ }).click()
    await second.getByText('Saved as tickets').waitFor()
    await second.getByRole('button', { name: '$<support> text variable' }).waitFor()
    await expectCleanPage(page)

    await chooseOf(second, 'Compare with another run')
    await runOf(page, 1).getByRole('button', { name: 'Compare with #2' }).click()
    const comparison = page.getByRole('dialog', { name: 'Compare #1 with #2' })
    await comparison.getByRole('button', { name: /^Collect tickets the same$/ }).waitFor()
    await comparison.getByRole('button', { name: /^Digest digest input, output$/ }).click()
    await comparison.getByRole('region', { name: 'Input of digest' }).getByText('Input in #2').waitFor()
    await expectCleanPage(page)
    await page.reload()
    await comparison.getByText('another input').waitFor()
    await page.keyboard.press('Escape')

    await chooseOf(runOf(page, 1), 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await runOf(page, 1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Hide Execution History' }).click()
    await page.getByRole('region', { name: 'Execution history' }).waitFor({ state: 'detached' })
  },
  TIMEOUT_MS,
)

test(
  'Stop and Resume work in the browser (D30).',
  async () => {
    showLogsOnFailure(server)
    const id = await buildShort({ name: 'Short work' })
    const page = await open({ as: olga, path: `/chains/${id}` })
    holdAnswer()
    await page.getByRole('button', { name: /^Execute Chain/ }).click()
    await stepOf(page, 'First')
      .getByText(/^Three/)
      .waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expectToast(page, ['Chain execution stopped', 'Completed steps are kept. You can resume the run.'])
    await page.route('**/api/executions/*/events', (route) => route.abort())
    await stepOf(page, 'First').getByRole('button', { name: 'Resume from here' }).click()
    await expectToast(page, ['Chain executed', 'All 2 steps are done.'])

    const fault = { status: 500, json: { error: 'Out of luck' } }
    await injectFault({ page, call: `POST /api/chains/${id}/execute`, fault })
    await page.getByRole('button', { name: /^Execute Chain/ }).click()
    await expectToast(page, ['Failed to run chain', '500: Out of luck'])
    await page.getByRole('figure', { name: 'Last Execution Result' }).waitFor({ state: 'detached' })
    await page.unrouteAll()
    await injectFault({ page, call: `POST /api/chains/${id}/execute`, fault: { status: 201, json: {} } })
    await page.getByRole('button', { name: /^Execute Chain/ }).click()
    await expectToast(page, ['Error executing chain', 'No execution ID was returned from the server'])
    await page.unrouteAll()
    await injectFault({ page, call: 'GET /api/executions/*/status', fault })
    await page.route('**/api/executions/*/events', (route) => route.abort())
    await page.getByRole('button', { name: /^Execute Chain/ }).click()
    await expectToast(page, ['Error checking execution status', '500: Out of luck'])
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Check again' }).click()
    await stepOf(page, 'Second').getByText(/^done/).waitFor()
  },
  TIMEOUT_MS,
)

test(
  'Someone who loses access while watching sees nothing more.',
  async () => {
    showLogsOnFailure(server)
    const id = await buildShort({ name: 'Shared work', sharedLevel: 'shared' })
    const share = (shares: object[]) => olga.call('PUT', `/api/chains/${id}/shares`, shares)
    await share([{ username: 'vic', role: 'viewer' }])
    const page = await open({ as: vic, path: `/chains/${id}` })
    holdAnswer()
    await page.getByRole('button', { name: /^Execute Chain/ }).click()
    await stepOf(page, 'First')
      .getByText(/^running/)
      .waitFor()
    await share([])
    await page.getByText('Chain not found').waitFor()
    await expectToast(page, ['Error checking execution status', '404: Execution not found'])
  },
  TIMEOUT_MS,
)

const stepOf = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true })
const runOf = (page: Page, id: number) => page.locator(`li[data-execution-id="${id}"]`)

/** Lets Claude answer, but holds the end back until it is released. */
function holdAnswer(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  claude.reply({ text: ANSWER, before: (index) => (index === ANSWER.length - 1 ? promise : undefined) })
  return resolve
}

async function chooseOf(run: Locator, item: string): Promise<void> {
  await run.getByRole('button', { name: /^More: Execution/ }).click()
  await run.page().getByRole('menuitem', { name: item }).click()
}

async function register(username: string): Promise<Api> {
  const api = createApi(server.url)
  await api.post('/api/register', { username, email: `${username}@example.org`, password: PASSWORD })
  return api
}

async function open({ as, path }: { as: Api; path: string }): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(as.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  await page.locator('[data-step-title]').first().waitFor()
  await page.getByRole('button', { name: /^Execute Chain/ }).waitFor()
  return page
}

async function build({ steps, ...chain }: { name: string; sharedLevel?: string; steps: object[] }) {
  const { id } = await olga.post<{ id: number }>('/api/chains', chain)
  for (const [position, step] of steps.entries()) {
    await olga.post(`/api/chains/${id}/steps`, { model: 'claude', ...step, position })
  }
  return id
}

/** Two of its steps are prompts of the library, the first takes a variable, and the last two want changing places. */
async function buildDigest(): Promise<number> {
  const prompt = async (title: string, content: string) => {
    const { id } = await olga.post<{ id: number }>('/api/prompts', { title, content, categoryId: 1 })
    return { title, content, promptId: id }
  }
  return build({
    name: 'Monday digest',
    steps: [
      { ...(await prompt('Collect', 'Group these: $<support>')), outputVariableName: 'tickets' },
      { title: 'Count', content: 'Count {{tickets}}.', outputVariableName: 'counts' },
      {
        ...(await prompt('Digest', 'A digest for {{input_context}} of {{tickets}} and {{counts}}.')),
        outputVariableName: 'digest',
        model: 'openai',
      },
      { title: 'Mail', content: 'Eight words for {{checked}}.', outputVariableName: 'mail' },
      { title: 'Check', content: 'Check {{digest}}.', outputVariableName: 'checked' },
    ],
  })
}

/** No step uses the output of its first step, which is no reason to ask before a run. */
function buildShort(chain: { name: string; sharedLevel?: string }): Promise<number> {
  const steps = [
    { title: 'First', content: 'Begin.', outputVariableName: 'first' },
    { title: 'Second', content: 'End.', outputVariableName: 'second' },
  ]
  return build({ ...chain, steps })
}

async function expectCleanPage(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
