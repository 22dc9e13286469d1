import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, forgetCopied, lastCopied } from './harness/clipboard.ts'
import { expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'
const ANSWER = 'Good day to you, too.'
const run = promisify(execFile)

let claude: FakeProvider
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  claude = await startFakeProvider({ vendor: 'anthropic' })
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: claude.url, LOG_LEVEL: 'warn' }
  server = await startServer({ env })
  olga = createApi(server.url)
  await olga.post('/api/register', { username: 'olga', email: 'olga@example.org', password: PASSWORD })
  browser = await openBrowser()
  await browser.context.addCookies(olga.cookies())
  await allowClipboard(browser.context)
}, TIMEOUT_MS)
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
  claude.reset()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await claude?.close()
})

test(
  'a chain’s token: made, copied, not seen again without its call, used by the shown line, found in the history, revoked',
  async () => {
    showLogsOnFailure(server)
    claude.replyByDefault({ text: ANSWER })
    const chainId = await createChain({ name: 'Helpdesk answer', content: 'Answer: {{input_context}}' })
    const { page, bodies } = await openPage(`/chains/${chainId}`)
    await page.getByText('No API tokens created yet.').waitFor()
    const token = await createToken(page, { dialog: 'Create Token', name: 'Helpdesk' })
    expect(token).toMatch(/^ctc_[0-9A-Za-z]{46}$/)

    await page.reload()
    await page.getByText(`${token.slice(0, 8)}…`).waitFor()
    expect(await page.content()).not.toContain(token)
    expect(await whereIs(bodies, token)).toEqual(['POST /api/own-tokens'])
    await forgetCopied(page)
    await page.getByRole('button', { name: 'Copy Helpdesk' }).click()
    await expectToast(page, ['Copied!', '“Helpdesk” is on the clipboard.'])
    expect(await lastCopied(page)).toBe(token)
    expect(await whereIs(bodies, token)).toEqual(['POST /api/own-tokens', expect.stringMatching(/value$/)])

    const line = await copyExample(page, 'curl, Claude style')
    expect(await shell(line, token)).toMatchObject({
      type: 'message',
      model: `chain-${chainId}`,
      content: [{ type: 'text', text: ANSWER }],
    })
    await page.getByRole('radio', { name: 'OpenAI style' }).click()
    const other = await copyExample(page, 'curl, OpenAI style')
    expect(await shell(other, token)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: ANSWER } }],
    })

    await page.reload()
    await page.getByRole('button', { name: 'Show Execution History' }).click()
    const card = page.locator('[data-execution-id]').first()
    await card.getByText(/^Called with token “Helpdesk”/).waitFor()
    await card.getByText('POST /v1/chat/completions').waitFor()
    await page.getByRole('button', { name: 'Helpdesk', exact: true }).click()
    const through = page.getByRole('region', { name: 'Runs through Helpdesk' })
    await through.getByText('POST /v1/messages').waitFor()
    await expect.poll(() => through.getByRole('listitem').count(), PATIENCE).toBe(2)

    await page.getByRole('button', { name: 'Delete Helpdesk' }).click()
    await page
      .getByText('Are you sure you want to delete this token? This action cannot be undone.')
      .waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(page, ['Token deleted', '“Helpdesk” no longer works.'])
    await page.getByText('No API tokens created yet.').waitFor()
    expect(await shell(line, token)).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
    await page.reload()
    await page.locator('[data-execution-id]').first().getByText('Called with a deleted token').waitFor()
  },
  TIMEOUT_MS,
)

test(
  '8 characters of a token show; the picker scrolls at 200 px.',
  async () => {
    showLogsOnFailure(server)
    const letters = await createChain({ name: 'Write a letter', content: 'Letter: {{input}}' })
    const numbers = await createChain({ name: 'Count things', content: 'Count: {{input}}' })
    const choice = { chain_id: letters, confidence: 0.83, reasoning: 'A greeting wants a letter.' }
    claude.replyByDefault(({ body }) => ({
      text: JSON.stringify(body).includes('You choose which chain') ? JSON.stringify(choice) : ANSWER,
    }))
    const { page } = await openPage('/chains')
    await page.getByText('No Best Chain API tokens created yet.').waitFor()
    const token = await createToken(page, {
      dialog: 'Create Best Chain API Token',
      name: 'Front desk',
      fill: async () => {
        await page.getByLabel('Include all my accessible chains').uncheck()
        await page
          .getByText('Please select at least one chain or choose "Include all my accessible chains."')
          .waitFor()
        const picker = page.getByRole('group', { name: 'Chains included' })
        expect((await picker.boundingBox())?.height).toBe(200)
        for (const name of ['Write a letter', 'Count things']) {
          await page.getByRole('checkbox', { name }).check()
        }
      },
    })
    expect(token).toMatch(/^ctb_[0-9A-Za-z]{46}$/)

    await page.getByRole('radio', { name: 'OpenAI style' }).click()
    const line = await copyExample(page, 'curl, OpenAI style')
    expect(await shell(line, token)).toMatchObject({
      choices: [{ message: { content: ANSWER } }],
      best_chain: { selected_chain_id: letters, chain_name: 'Write a letter', confidence: 0.83 },
    })

    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'Front desk' })
    await expectText(row, /Count things, Write a letter|Write a letter, Count things/)
    await page.getByRole('button', { name: 'Hello' }).click()
    await page.getByText('A greeting wants a letter.').waitFor()
    const scores = page.getByRole('list', { name: /^Scores of request/ }).getByRole('listitem')
    expect(await scores.count()).toBe(2)
    await page.getByRole('button', { name: /^Should have been/ }).click()
    await page.getByRole('option', { name: 'Count things' }).click()
    await expectToast(page, ['Selection corrected', 'The request is now an example for that chain.'])
    await page.goto(`${server.url}/chains/${numbers}?edit=${numbers}`)
    const examples = page.getByRole('dialog', { name: 'Edit Chain' }).getByLabel('Example requests')
    await expect.poll(() => examples.inputValue(), PATIENCE).toBe('Hello')

    await page.goto(`${server.url}/chains`)
    await page.getByRole('button', { name: 'Delete Front desk' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(page, ['Token deleted', '“Front desk” no longer works.'])
    expect(await shell(line, token)).toMatchObject({ error: { code: 'invalid_api_key' } })
  },
  TIMEOUT_MS,
)

test(
  'a stranger’s public chain is offered to a token for all chains, chosen once accepted, and not any more once removed',
  async () => {
    showLogsOnFailure(server)
    const paul = createApi(server.url)
    await paul.post('/api/register', { username: 'paul', email: 'paul@example.org', password: PASSWORD })
    const own = await createChain({ name: 'Water plants', content: 'Water: {{input}}' })
    const fields = { name: 'Anything at all', sharedLevel: 'public' }
    const foreign = await createChain({ ...fields, content: 'Take: {{input}}' }, paul)
    claude.replyByDefault(({ body }) => {
      const said = JSON.stringify(body)
      if (!said.includes('You choose which chain')) return { text: ANSWER }
      const chain_id = said.includes('Anything at all') ? foreign : own
      return { text: JSON.stringify({ chain_id, confidence: 1, reasoning: 'It says so.' }) }
    })
    const { page } = await openPage('/chains')
    const token = await createToken(page, { dialog: 'Create Best Chain API Token', name: 'Every chain' })
    await page.getByRole('radio', { name: 'OpenAI style' }).click()
    const line = await copyExample(page, 'curl, OpenAI style')
    const expectChosen = async (id: number) =>
      expect(await shell(line, token)).toMatchObject({ best_chain: { selected_chain_id: id } })
    await expectChosen(own)

    await page.getByRole('button', { name: 'Edit Every chain' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Best Chain API Token' })
    await form.getByRole('button', { name: '1 chain offered' }).click()
    await form.getByText('paul, public').waitFor()
    await form.getByRole('button', { name: 'Accept Anything at all' }).click()
    await form.getByText('0 chains offered, 1 accepted').waitFor()
    await expectChosen(foreign)

    await form.getByRole('button', { name: 'Remove Anything at all' }).click()
    await form.getByText('1 chain offered').waitFor()
    await expectChosen(own)
  },
  TIMEOUT_MS,
)

/** A chain of one step. */
async function createChain(
  { content, ...fields }: { name: string; content: string; sharedLevel?: string },
  as = olga,
): Promise<number> {
  const { id } = await as.post<{ id: number }>('/api/chains', fields)
  const step = { title: fields.name, outputVariableName: 'answer', model: 'claude', content }
  await as.post(`/api/chains/${id}/steps`, step)
  return id
}

/** The page and the bodies of what it is answered, by call. */
async function openPage(path: string) {
  const page = await browser.context.newPage()
  const bodies: { call: string; body: Promise<string> }[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    // What belongs to a page that is left can't be read any more.
    const body = response.text().catch(() => '')
    if (pathname.startsWith('/api/'))
      bodies.push({ call: `${response.request().method()} ${pathname}`, body })
  })
  await page.goto(server.url + path)
  return { page, bodies }
}

/** The calls whose replies hold the text. */
async function whereIs(bodies: { call: string; body: Promise<string> }[], text: string): Promise<string[]> {
  const all = await Promise.all(bodies.map(async ({ call, body }) => ({ call, body: await body })))
  return all.filter(({ body }) => body.includes(text)).map(({ call }) => call)
}

/** Makes a token as a person does, and takes its value from the clipboard. */
async function createToken(
  page: Page,
  { dialog, name, fill }: { dialog: string; name: string; fill?: () => Promise<void> },
): Promise<string> {
  await page.getByRole('button', { name: 'Create Token' }).click()
  const form = page.getByRole('dialog', { name: dialog })
  await form.getByLabel('Token Name').fill(name)
  await fill?.()
  await page.keyboard.press('Control+Enter')
  await expectToast(page, ['Token created', `“${name}” works from now on.`])
  const shown = page.getByRole('dialog', { name: 'Your new token' })
  await shown.getByText('After this it stays hidden, but the list of tokens can still copy it.').waitFor()
  await shown.getByRole('button', { name: 'Copy to Clipboard' }).click()
  await expectToast(page, ['Copied!', `“${name}” is on the clipboard.`])
  const token = (await lastCopied(page)) ?? ''
  expect(await shown.getByLabel(`Value of “${name}”`).inputValue()).toBe(token)
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name, exact: true }).waitFor()
  return token
}

async function copyExample(page: Page, name: string): Promise<string> {
  await forgetCopied(page)
  await page.getByRole('button', { name: `Copy: ${name}` }).click()
  await expect.poll(() => lastCopied(page), PATIENCE).toContain('curl')
  return (await lastCopied(page)) ?? ''
}

/** Runs a line as it stands; what it prints is JSON. */
async function shell(line: string, token: string): Promise<unknown> {
  const env = { PATH: process.env.PATH, CATENARY_TOKEN: token }
  const { stdout } = await run('sh', ['-c', line], { env })
  return JSON.parse(stdout)
}
