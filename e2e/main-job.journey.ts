import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

/** Two starts and a browser: on a busy machine that takes its time. */
const TIMEOUT_MS = 240_000

const account = { username: 'ada', email: 'ada@example.org', password: 'a bridge hangs by its own weight' }

let server: RunningServer | undefined
let browser: OpenBrowser | undefined
let fake: FakeProvider | undefined
afterEach(async () => {
  await browser?.close()
  await server?.dispose()
  await fake?.close()
  browser = server = fake = undefined
})

test(
  'Signed-in people create and run prompts, without a model’s key too, and find all of it after a restart.',
  async () => {
    server = await startServer({ isFirstStart: true })
    showLogsOnFailure(server)
    expect(server.logs()).toContain('sandbox')
    browser = await openBrowser()
    const { page, complaints } = await openPage(browser)

    await page.goto(server.url)
    await page.waitForURL('**/auth')
    for (const name of ['Log In', 'Create Account']) await page.getByRole('button', { name }).waitFor()
    await page.getByRole('link', { name: 'Continue as Guest' }).waitFor()
    await createAccount(page)
    await page.getByRole('button', { name: 'Admin Settings' }).waitFor()
    await page.getByText('No model key is set').waitFor()

    await createCategory({ page, name: 'Customers' })
    await createVariable({ page, name: 'tone', content: 'warm' })
    await createPrompt({ page, category: 'Customers' })

    await page.getByRole('button', { name: 'Execute with AI' }).click()
    const dialog = page.getByRole('dialog', { name: 'Execute Prompt' })
    await dialog.getByLabel('customer', { exact: true }).fill('Grace')
    await dialog.getByText('2 of 2 have values').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Done', { exact: true }).waitFor()
    const answer = dialog.getByRole('figure', { name: 'AI response' })
    expect(await answer.textContent()).toContain('[sandbox]')
    await answer.getByText('Write a warm welcome for Grace.').waitFor()
    await dialog.getByRole('button', { name: 'Execution history' }).click()
    await expectRunInHistory({ page, model: 'Claude', provider: 'sandbox' })

    // An open page keeps polling, and its browser logs the failures.
    await page.goto('about:blank')
    await server.restart()
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Welcome letter' }).waitFor()
    await page.getByRole('button', { name: /^Customers\s*1$/ }).waitFor()
    await page.goto(`${server.url}/execute/1?history=open`)
    expect(await page.getByLabel('tone', { exact: true }).inputValue()).toBe('warm')
    await expectRunInHistory({ page, model: 'Claude', provider: 'sandbox' })
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'with a key: the same run calls the provider over its own wire, and keeps what it said',
  async () => {
    fake = await startFakeProvider({ vendor: 'anthropic' })
    const key = 'key-of-the-journey'
    server = await startServer({ env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: fake.url } })
    showLogsOnFailure(server)
    browser = await openBrowser()
    const { page, complaints } = await openPage(browser)

    await page.goto(`${server.url}/auth`)
    await createAccount(page)
    await createVariable({ page, name: 'tone', content: 'warm' })
    await createPrompt({ page, category: 'Writing' })
    expect(await page.getByText('No model key is set').count()).toBe(0)

    const written = ['Executing...', 'Dear Grace', 'Come in,', 'the kettle']
    fake.reply({
      text: ['## Dear Grace\n\n', 'Come in, ', 'the kettle ', 'is **on**.'],
      before: (index) =>
        page
          .getByText(written[index] ?? '')
          .first()
          .waitFor(),
      modelId: 'claude-of-the-wire',
      inputTokens: 1200,
      outputTokens: 300,
    })
    await page.goto(`${server.url}/execute/1`)
    await page.getByLabel('customer', { exact: true }).fill('Grace')
    await page.getByRole('button', { name: 'Advanced: system prompt' }).click()
    await page.getByLabel('System prompt').fill('You are a host.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Dear Grace' }).waitFor()
    await page.getByText('1,500 tokens').first().waitFor()

    expect(fake.journal).toHaveLength(1)
    const [call] = fake.journal
    expect(call).toMatchObject({ method: 'POST', path: '/v1/messages', streamed: true, state: 'answered' })
    expect(call?.headers['x-api-key']).toBe(key)
    expect(JSON.stringify(call?.body.messages)).toContain('Write a warm welcome for Grace.')
    expect(JSON.stringify(call?.body.system)).toContain('You are a host.')

    await page.getByRole('button', { name: 'Execution history' }).click()
    await expectRunInHistory({ page, model: 'Claude', provider: 'anthropic', modelId: 'claude-of-the-wire' })
    // An open page keeps polling, and its refused connections would count as complaints.
    await page.goto('about:blank')
    await server.restart()
    await page.goto(`${server.url}/execute/1?history=open`)
    await expectRunInHistory({ page, model: 'Claude', provider: 'anthropic', modelId: 'claude-of-the-wire' })
    expect(complaints).toEqual([])
    expect(server.logs()).not.toContain(key)
  },
  TIMEOUT_MS,
)

/** A page that notes errors, among them every breach of the content security policy. */
async function openPage({ context }: OpenBrowser): Promise<{ page: Page; complaints: string[] }> {
  const complaints: string[] = []
  const page = context.pages()[0] ?? (await context.newPage())
  page.on('console', (message) => {
    // Signed out is what a 401 of this call says.
    const isAnonymous = message.location().url.endsWith('/api/user')
    if (message.type() === 'error' && !isAnonymous) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

async function createAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByLabel('Confirm password').fill(account.password)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Registration successful').first().waitFor()
  await page.getByRole('heading', { name: 'Prompts', level: 1 }).waitFor()
}

async function createCategory({ page, name }: { page: Page; name: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add Category' }).click()
  await page.getByLabel('New category').fill(name)
  await page.keyboard.press('Enter')
  await page.getByText('Category created').first().waitFor()
}

async function createVariable({ page, name, content }: { page: Page; name: string; content: string }) {
  await page.getByRole('link', { name: /^Variables/ }).click()
  await page.getByRole('button', { name: 'New variable' }).first().click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Content').fill(content)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Prompts/ }).click()
}

async function createPrompt({ page, category }: { page: Page; category: string }): Promise<void> {
  await page.getByRole('button', { name: 'New prompt' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create New Prompt' })
  await dialog.getByLabel('Title').fill('Welcome letter')
  await dialog.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: category }).click()
  await dialog.getByRole('textbox', { name: 'Content' }).fill('Write a $<tone> welcome for $<customer>.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Prompt created').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
}

interface ExpectedRun {
  page: Page
  model: string
  provider: string
  modelId?: string
}

/** Opens the only run of the open history: model, tokens, cost and time are there. */
async function expectRunInHistory({ page, model, provider, modelId }: ExpectedRun): Promise<void> {
  const run = page.getByRole('region', { name: 'Execution history' }).getByRole('listitem')
  const row = (await run.textContent()) ?? ''
  expect(await run.count()).toBe(1)
  expect(row).toContain(model)
  expect(row).toMatch(/[\d,]+ tokens · (\$[\d.]+|<\$0\.0001|unknown) · (just now|\d+ minutes? ago)/)
  const opener = run.getByRole('button', { name: 'Write a warm welcome for Grace.' })
  if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click()
  for (const name of ['Model', 'Provider', 'Tokens', 'Cost', 'Duration', 'Version', 'Executed']) {
    expect(await factOf({ page, name }), name).not.toBe('–')
  }
  expect(await factOf({ page, name: 'Provider' })).toBe(provider)
  if (modelId) expect(await factOf({ page, name: 'Model' })).toBe(modelId)
  expect(await factOf({ page, name: 'Version' })).toBe('1')
}

async function factOf({ page, name }: { page: Page; name: string }): Promise<string | null> {
  return page
    .getByRole('definition')
    .and(page.locator(`dt:text-is("${name}") + dd`))
    .textContent()
}
