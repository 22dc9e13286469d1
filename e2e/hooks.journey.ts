import { execFile } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Chain, CreatedOwnToken, HookDelivery, RunDetails } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectCleanPage } from './harness/hands.ts'
import { PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const run = promisify(execFile)
const SECRET = 'hush, hush'
const ISSUE = { action: 'opened', issue: { number: 1482, title: 'Sign-in fails', labels: [{ name: 'bug' }] } }

let openai: FakeProvider
let server: RunningServer
let olga: Api
let browser: OpenBrowser
let folder: string

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault({ text: 'Sorted.' })
  server = await startServer({
    env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: openai.url, LOG_LEVEL: 'info' },
  })
  olga = createApi(server.url)
  await olga.post('/api/register', {
    username: 'olga',
    email: 'olga@example.org',
    password: 'Sailing the seven seas',
  })
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'hooks-'))
  await writeFile(join(folder, 'issue.json'), JSON.stringify(ISSUE))
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await openai?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function makeChain(): Promise<Chain> {
  const chain = await olga.post<Chain>('/api/chains', { name: 'Issue to answer' })
  const content = 'Sort {{input.issue.title}}, {{input.issue.labels.0.name}}'
  await olga.post(`/api/chains/${chain.id}/steps`, { content, outputVariableName: 'sorted', position: 0 })
  return chain
}

async function ended(id: number): Promise<RunDetails> {
  let read: RunDetails | undefined
  await expect
    .poll(async () => {
      read = await olga.get<RunDetails>(`/api/executions/${id}`)
      return read.status
    })
    .not.toBe('running')
  return read as RunDetails
}

/** What the guide has to be typed. */
async function readGuide(): Promise<string[]> {
  const page = await readFile(new URL('../docs/guide/call-it-from-code.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Start a chain from outside\n')
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, code = '']) => code)
}

/** Runs what the page shows, in a shell. */
async function inShell(script: string, address: string): Promise<number> {
  const { stdout } = await run('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, ADDRESS: address, SECRET },
  })
  return (JSON.parse(stdout) as { executionId: number }).executionId
}

async function makeAddress(page: Page, { name, form }: { name: string; form: string }): Promise<string> {
  await page.getByRole('button', { name: 'New address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Token' })
  await dialog.getByLabel('Token Name').fill(name)
  if (form !== 'None') {
    await dialog.getByRole('radio', { name: form }).click()
    await dialog.getByLabel('Secret').fill(SECRET)
  }
  await dialog.getByRole('button', { name: /^Create Token/ }).click()
  const shown = page.getByRole('dialog', { name: 'Your new token' })
  const address = await shown.getByLabel(/^Address of/).inputValue()
  await shown.getByRole('button', { name: 'Done' }).click()
  return address
}

test('A chain is started by curl as its page and the guide say, and by a body that GitHub signed; deliveries show what came of it.', async () => {
  showLogsOnFailure(server)
  const chain = await makeChain()
  await browser.context.addCookies(olga.cookies())
  const page = await browser.context.newPage()
  page.setDefaultTimeout(PATIENCE.timeout)
  await page.goto(`${server.url}/chains/${chain.id}`)
  const tryIt = () => page.getByRole('region', { name: 'Own address' }).locator('pre')
  const runs: number[] = []
  const [plain = '', signed = ''] = await readGuide()
  for (const form of ['None', 'GitHub', 'Stripe', 'Plain']) {
    const address = await makeAddress(page, { name: form, form })
    expect(address.startsWith(`${server.url}/hooks/cth_`)).toBe(true)
    // The newest one is chosen first.
    await page.getByRole('region', { name: 'Deliveries' }).getByText(form, { exact: true }).waitFor()
    await tryIt().waitFor()
    const id = await inShell(await tryIt().innerText(), address)
    const { status, input, steps } = await ended(id)
    expect([form, status, steps[0]?.inputContent]).toEqual([form, 'completed', 'Sort Sign-in fails, bug'])
    expect(JSON.parse(input)).toEqual(ISSUE)
    runs.push(id)
    const asTheGuideSays = { None: plain, GitHub: signed }[form]
    if (asTheGuideSays === undefined) continue
    const again = await ended(await inShell(asTheGuideSays, address))
    expect(JSON.parse(again.input)).toMatchObject({ issue: { title: 'Sign-in fails' } })
  }
  expect(new Set(runs).size).toBe(4)
  const secret = await olga.call('GET', '/api/own-tokens?tokenType=hook')
  expect(JSON.stringify(secret.body)).not.toContain(SECRET)
  await page.reload()
  await page.getByRole('button', { name: `What came with run ${runs[3]}` }).click()
  await page.getByText('{{input.issue.labels.0.name}}').last().waitFor()
  await expectCleanPage(page)
  expect(server.logs()).not.toMatch(/cth_[0-9A-Za-z]{40}/)

  // As GitHub sends it, twice.
  const { id, token } = await olga.post<CreatedOwnToken>('/api/own-tokens', {
    name: 'GitHub, portal',
    scopes: [`chain:${chain.id}`, 'hook'],
    signature: { form: 'github', secret: SECRET },
  })
  const body = JSON.stringify(ISSUE)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/044aadd',
    'x-github-event': 'issues',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  }
  const post = async () => {
    const reply = await fetch(`${server.url}/hooks/${token}`, { method: 'POST', headers, body })
    return [reply.status, await reply.json()]
  }
  const first = await post()
  expect(first).toEqual([202, { executionId: expect.any(Number) }])
  expect(await post()).toEqual(first)
  const deliveries = await olga.get<HookDelivery[]>(`/api/own-tokens/${id}/deliveries`)
  expect(deliveries).toMatchObject([{ status: 202, deliveryId: headers['x-github-delivery'], repeats: 1 }])
}, 240_000)
