import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { McpTokenSees, PromptFetch } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, forgetCopied, lastCopied } from './harness/clipboard.ts'
import { expectAddress, expectToast, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const run = promisify(execFile)

let server: RunningServer
let api: Api
let chainId: number
let promptId: number
let browser: OpenBrowser | undefined
beforeAll(async () => {
  // The sandbox answers.
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const prompt = { title: 'Welcome letter', content: 'Dear $<customer>!', categoryId: 1 }
  promptId = (await api.post<{ id: number }>('/api/prompts', prompt)).id
  chainId = (await api.post<{ id: number }>('/api/chains', { name: 'Monday digest' })).id
  const step = { content: 'Digest: {{input}}', outputVariableName: 'digest', model: 'claude' }
  await api.post(`/api/chains/${chainId}/steps`, step)
}, TIMEOUT_MS)
afterEach(async () => {
  await browser?.close()
  browser = undefined
})
afterAll(() => server?.dispose())

async function openConnect(options: Parameters<typeof openBrowser>[0], path = '/connect'): Promise<Page> {
  browser = await openBrowser(options)
  await browser.context.addCookies(api.cookies())
  await allowClipboard(browser.context)
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}

const regionOf = (page: Page, name: string) => page.getByRole('region', { name })

/** Makes a token in the open form as a person does, and gives its value. */
async function createToken(page: Page, { does, name }: { does: string; name: string }): Promise<string> {
  const form = page.getByRole('dialog', { name: 'Create Token' })
  await form.getByRole('combobox', { name: 'What may it do?' }).getByText(does).waitFor()
  await form.getByLabel('Token Name').fill(name)
  await page.keyboard.press('Control+Enter')
  await expectToast(page, ['Token created', `“${name}” works from now on.`])
  const shown = page.getByRole('dialog', { name: 'Your new token' })
  const value = await shown.getByLabel(`Value of “${name}”`).inputValue()
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('list', { name: 'Tokens' }).getByText(name).waitFor()
  return value
}

/** What the page copies of a client's example. */
async function copy(page: Page, example: string): Promise<string> {
  await forgetCopied(page)
  await page.getByRole('button', { name: `Copy: ${example}` }).click()
  await expect.poll(() => lastCopied(page), PATIENCE).toBeTruthy()
  return (await lastCopied(page)) ?? ''
}

/** What an agent sends first. */
async function greetAs(name: string, token: string): Promise<void> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '2.1.330' } }
  const reply = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  expect(reply.status).toBe(200)
}

async function shell(line: string, token: string): Promise<string> {
  const env = { PATH: process.env.PATH, CATENARY_TOKEN: token }
  return (await run('bash', ['-c', line], { env })).stdout
}

test(
  'in the dark: a token for agents from the empty page, its line and what comes with it; a chain’s and what of its call was ignored',
  async () => {
    showLogsOnFailure(server)
    const page = await openConnect({ colorScheme: 'dark' })
    await page.getByText('Connect a program to your prompts and chains').waitFor()
    await page.keyboard.press('n')
    const agent = await createToken(page, { does: 'Connect an agent', name: 'Laptop' })
    expect(agent).toMatch(/^ctm_[0-9A-Za-z]{46}$/)

    const line = await copy(page, 'Claude Code, Terminal')
    expect(line).toBe(`claude mcp add -t http catenary ${server.url}/mcp -H "Authorization: Bearer ${agent}"`)
    expect(await page.content()).not.toContain(agent)
    await page.getByText('Waiting for the first call from Claude Code').waitFor()
    const seen = regionOf(page, 'What the client sees')
    await seen.getByText('1 prompt', { exact: true }).waitFor()
    await seen.getByText('welcome-letter').waitFor()
    await page.getByRole('tab', { name: 'curl' }).click()
    expect(await shell(await copy(page, 'curl, Tools'), agent)).toContain('get_prompt')
    await page.getByText('curl connected').waitFor()

    const another = regionOf(page, 'New connection')
    await another.getByRole('combobox', { name: 'Client' }).click()
    await page.getByRole('option', { name: 'Open WebUI' }).click()
    await another.getByRole('button', { name: 'Create' }).click()
    const form = page.getByRole('dialog', { name: 'Create Token' })
    await form.getByLabel('Token Name').fill('Helpdesk')
    await form.getByRole('combobox', { name: 'Chain' }).getByText('Monday digest').waitFor()
    await page.keyboard.press('Control+Enter')
    const shown = page.getByRole('dialog', { name: 'Your new token' })
    const model = await shown.getByLabel('Value of “Helpdesk”').inputValue()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('tab', { name: 'curl' }).click()
    const call = await copy(page, 'curl, Claude style')
    expect(call).toContain(`"model":"chain-${chainId}"`)
    expect(await shell(call.replace('"max_tokens"', '"top_k":5,"max_tokens"'), model)).toContain('[sandbox]')
    await page.reload()
    const rows = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')
    await rows.filter({ hasText: 'Laptop' }).getByText(/curl/).waitFor()
    await rows.filter({ hasText: 'Helpdesk' }).getByText(/curl/).waitFor()
    const use = regionOf(page, 'Usage of Helpdesk')
    await use.getByRole('button', { name: /^Usage and limits/ }).click()
    await use.getByText('POST /v1/messages').waitFor()
    await use.getByText(/^ignored: .*top_k/).waitFor()
  },
  TIMEOUT_MS,
)

test(
  'in the light: from a prompt’s menu to code that fetches it; who came last; the token is deleted',
  async () => {
    showLogsOnFailure(server)
    const page = await openConnect({ colorScheme: 'light' }, '/')
    await page.getByRole('button', { name: /^More/ }).first().click()
    await page.getByRole('menuitem', { name: 'Connect' }).click()
    await expectAddress(page, `/connect?prompt=${promptId}`)
    await page.getByText('None of your tokens reaches “Welcome letter” yet.').waitFor()
    await page.getByRole('button', { name: 'Create token', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Create Token' })
    expect(await form.getByRole('checkbox', { name: 'Welcome letter' }).isChecked()).toBe(true)
    await form.getByLabel('Token Name').fill('Shop')
    await page.keyboard.press('Control+Enter')
    const shown = page.getByRole('dialog', { name: 'Your new token' })
    const value = await shown.getByLabel('Value of “Shop”').inputValue()
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('tab', { name: 'curl' }).click()
    const line = await copy(page, 'curl, Fetch')
    expect(await shell(line, value)).toContain('"prompt":"Dear {{customer}}!"')

    await page.reload()
    const row = page
      .getByRole('table', { name: /^Fetched last/ })
      .getByRole('row')
      .filter({ hasText: 'Shop' })
    await row.getByText('welcome-letter').waitFor()
    expect(await row.textContent()).toMatch(/curl.*v1/)
    const fetched = await api.get<PromptFetch[]>('/api/fetches')
    expect(fetched).toContainEqual(expect.objectContaining({ slug: 'welcome-letter', tokenName: 'Shop' }))

    await page.getByRole('button', { name: 'More: Shop' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(page, ['Token deleted', '“Shop” no longer works.'])
    expect(await shell(line, value)).toContain('UnauthorizedError')
  },
  TIMEOUT_MS,
)

test(
  'an agent is connected by its client’s name and one press: the copied line holds address and value, and the page says who came',
  async () => {
    showLogsOnFailure(server)
    const page = await openConnect({ colorScheme: 'light' })
    const line = regionOf(page, 'New connection')
    await line.getByRole('combobox', { name: 'Client' }).getByText('Claude Code').waitFor()
    await line.getByRole('button', { name: 'Create' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new token' })
    await shown.getByText('This token will only be shown once. Copy it now!').waitFor()
    await forgetCopied(page)
    await page.keyboard.press('Enter')
    await expect.poll(() => lastCopied(page), PATIENCE).toContain('claude mcp add')
    const copied = (await lastCopied(page)) ?? ''
    const [, value = ''] = /Bearer (ctm_[0-9A-Za-z]{46})"$/.exec(copied) ?? []
    expect(copied).toContain(`${server.url}/mcp`)
    await shown.getByText('Waiting for the first call from Claude Code').waitFor()
    await greetAs('claude-code', value)
    await shown.getByText('Claude Code connected').waitFor()
    await shown.getByRole('button', { name: 'Done' }).click()
    await regionOf(page, 'How to connect').getByText('Claude Code connected').waitFor()
  },
  TIMEOUT_MS,
)

test(
  'on a phone: the list, then a token’s details and the way back; the former address leads here',
  async () => {
    showLogsOnFailure(server)
    const fields = { name: 'Phone agent', allPrompts: true, allChains: true }
    const { id } = await api.post<{ id: number }>('/api/mcp-tokens', fields)
    const page = await openConnect({ viewport: { width: 390, height: 844 } }, '/api-access')
    await expectAddress(page, '/connect')
    const list = page.getByRole('list', { name: 'Tokens' })
    await list.getByRole('button', { name: /^Phone agent/ }).click()
    await expectAddress(page, `/connect?show=${id}`)
    expect(await list.count()).toBe(0)
    await page.getByRole('tab', { name: 'Codex' }).click()
    expect(await copy(page, 'Codex, Terminal')).toContain('codex mcp add catenary --url')
    const sees = await api.get<McpTokenSees>(`/api/mcp-tokens/${id}/sees`)
    await regionOf(page, 'What the client sees')
      .getByText(sees.chains.names[0]?.name ?? '?')
      .waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(390)
    await page.getByRole('button', { name: 'All tokens' }).click()
    await list.getByRole('button', { name: /^Phone agent/ }).waitFor()
    await page.goBack()
    await expectAddress(page, `/connect?show=${id}&client=codex`)
  },
  TIMEOUT_MS,
)
