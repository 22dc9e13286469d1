import type { Chain, CreatedChainToken, Prompt } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { parseByOpenai, z } from '../apps/server/src/testing/parse-by-openai.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectText, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const WAIT_MS = 120_000
const triage = z.object({
  severity: z.enum(['high', 'mid', 'low']),
  items: z.array(z.object({ title: z.string() })),
})
const reply = z.object({ mail: z.string() })
const TRIAGED = { severity: 'high', items: [{ title: 'Roll the release back' }, { title: 'Write to Ines' }] }
const ANSWERED = { mail: 'We roll it back.' }
const outputOf = (answer: z.ZodType) => {
  const { $schema: _, ...schema } = z.toJSONSchema(answer)
  return { type: 'json', schema }
}

let vendors: FakeProvider[]
let ollama: FakeProvider
let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  const [anthropic, openai, gemini] = await Promise.all([
    startFakeProvider({ vendor: 'anthropic' }),
    startFakeProvider({ vendor: 'openai' }),
    startFakeProvider({ vendor: 'gemini' }),
  ])
  ollama = await startFakeProvider({ vendor: 'openai', models: ['llama3.2:3b', 'qwen3:32b'] })
  vendors = [anthropic, openai, gemini, ollama]
  for (const fake of vendors) {
    fake.replyByDefault(({ body }) => ({
      text: JSON.stringify(JSON.stringify(body).includes('Answer them') ? ANSWERED : TRIAGED),
    }))
  }
  server = await startServer({
    env: {
      ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: anthropic.url },
      ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: openai.url },
      ...{ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: gemini.url },
    },
  })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await api.call('DELETE', '/api/first-steps')
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
}, WAIT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await Promise.all((vendors ?? []).map((fake) => fake.close()))
})

test(
  'A model of one’s own, such as Ollama, is added in Settings → Models, compared by one schema, evaluated, and read by its fields in a chain.',
  async () => {
    showLogsOnFailure(server)
    await addOllama()
    await api.post('/api/variables', { name: 'ticket', type: 'text', content: 'Nobody can sign in' })
    const prompt = await api.post<Prompt>('/api/prompts', {
      ...{ title: 'Triage', content: 'Sort this ticket: $<ticket>', categoryId: 1, output: outputOf(triage) },
    })
    await page.goto(`${server.url}/execute/${prompt.id}?with=openai,gemini,qwen`)
    await page.getByRole('button', { name: /^Execute 4/ }).click()
    await page.getByText('4 done').waitFor()
    const [asked] = ollama.journal
    expect(asked?.body).toMatchObject({
      model: 'qwen3:32b',
      response_format: { type: 'json_schema', json_schema: { schema: { required: ['severity', 'items'] } } },
    })
    expect(asked?.headers.authorization).toBeUndefined()
    await keepAsVersion2()
    await evaluate(prompt.id)
    await callChain(prompt.id)
  },
  WAIT_MS,
)

/** In Settings → Models, where its own list of models is found. */
async function addOllama(): Promise<void> {
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Admin Settings' }).click()
  await page.getByRole('link', { name: 'All settings' }).click()
  await page.getByRole('link', { name: 'Models' }).click()
  await page.getByRole('button', { name: 'Add provider' }).click()
  const form = page.getByRole('form', { name: 'Add provider' })
  await form.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'OpenAI-compatible server' }).click()
  await form.getByLabel('Name').fill('Office server')
  await form.getByLabel('Address').fill(ollama.url)
  await form.getByLabel('On this machine or network').click()
  await form.getByRole('button', { name: 'Test and add' }).click()
  const found = page.getByRole('form', { name: 'Add models of Office server' })
  await found.getByText('2 models found').waitFor()
  await found.getByRole('checkbox', { name: 'llama3.2:3b' }).uncheck()
  await found.getByLabel('Alias of qwen3:32b').fill('qwen')
  await found.getByRole('button', { name: 'Add selected' }).click()
  await expectText(
    page.getByRole('status', { name: 'Test of qwen' }),
    /^qwen answered in \d+ ms Asked: http:\/\/\S+\/chat\/completions$/,
  )
  ollama.journal.length = 0
}

async function keepAsVersion2(): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nBe strict.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('4 done').waitFor()
  await page.getByLabel('Note on version 2').fill('is strict')
  await page.getByRole('button', { name: 'More: qwen3:32b' }).click()
  await page.getByRole('menuitem', { name: 'Save as version 2' }).click()
  await page.getByText('Prompt updated').first().waitFor()
}

/** Its second version on the new model, by a field of the answer. */
async function evaluate(promptId: number): Promise<void> {
  const suite = await api.post<{ id: number }>(`/api/prompts/${promptId}/test-suites`, { name: 'Tickets' })
  await api.post(`/api/test-suites/${suite.id}/cases`, {
    ...{ name: 'Sign-in', values: { ticket: 'Nobody can sign in' } },
    assertions: [
      { type: 'equals', value: 'high', path: 'severity' },
      { type: 'contains', value: 'release', path: 'items[0].title' },
    ],
  })
  const targets = [
    { version: 2, model: 'qwen' },
    { version: 2, model: 'claude' },
  ]
  const started = await api.post<{ id: number }>('/api/evaluations', {
    ...{ suiteId: suite.id, targets, ceilingUsd: 1 },
  })
  await page.goto(`${server.url}/evaluations/${started.id}`)
  await page.getByText(/^This evaluation cost/).waitFor()
  await page.getByText('1 of 1 pass').nth(1).waitFor()
}

/** Its first step is the prompt on the new model, its second one reads two fields of that. */
async function callChain(promptId: number): Promise<void> {
  const chain = await api.post<Chain>('/api/chains', { name: 'Tickets' })
  const steps = [
    { promptId, content: '', model: 'qwen', outputVariableName: 'triage', output: outputOf(triage) },
    {
      content: 'Answer them: {{triage.severity}}, {{triage.items[0].title}}',
      ...{ model: 'gemini', outputVariableName: 'reply', output: outputOf(reply) },
    },
  ]
  for (const [position, step] of steps.entries()) {
    await api.post(`/api/chains/${chain.id}/steps`, { position, ...step })
  }
  const { token } = await api.post<CreatedChainToken>('/api/tokens', { name: 'Desk', chainId: chain.id })
  const answer = await parseByOpenai({
    ...{ url: server.url, apiKey: token, model: `chain-${chain.id}`, text: 'Help', schema: reply },
  })
  expect(answer).toEqual(ANSWERED)
  const last = vendors[2]?.journal.at(-1)
  expect(JSON.stringify(last?.body)).toContain('Answer them: high, Roll the release back')
  await expect.poll(() => ollama.journal.length, PATIENCE).toBeGreaterThan(2)
}
