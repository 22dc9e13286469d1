import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { addInline, EXECUTE, failures, PROMPT } from './harness/failures.ts'
import { injectFault } from './harness/faults.ts'
import { cardOf, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  api = createApi(server.url)
  await seed(api)
  browser = await openBrowser()
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test.each(Object.keys(failures))('the toast when this fails: %s', async (name) => {
  const failure = failures[name]
  if (failure === undefined) throw new Error(name)
  await open({ path: failure.path })
  const calls = await injectFault({ page, ...failure })
  await failure.act(page)
  await expectToast(page, failure.toast)
  expect(calls()).toBe(failure.fault === 'cut' ? 2 : 1)
})

test('a refused write that never gets an answer is tried twice and then told', async () => {
  await open({ path: '/', withClock: true })
  const calls = await injectFault({ page, call: 'POST /api/categories', fault: 'silence' })
  await addInline(page, { button: 'Add Category', field: 'New category' })
  await expect.poll(calls, PATIENCE).toBe(1)
  await page.clock.fastForward(20_000)
  await expect.poll(() => passing(calls), PATIENCE).toBe(2)
  await page.clock.fastForward(20_000)
  await expectToast(page, [
    'Error',
    'Failed to create category: Request timeout: no answer within 20 seconds',
  ])
})

test.each([
  {
    what: 'logging in',
    button: 'Log in',
    submit: 'Log in',
    call: 'POST /api/login',
    title: 'Login failed',
    fields: { Username: 'ada', Password: 'secret1' },
  },
  {
    what: 'registering',
    button: 'Register',
    submit: 'Create account',
    call: 'POST /api/register',
    title: 'Registration failed',
    fields: { Username: 'grace', Email: 'g@example.org', Password: 'secret1', 'Confirm password': 'secret1' },
  },
])('the red banner and the toast when $what fails, with and without a reason', async (form) => {
  await open({ path: '/', isGuest: true })
  await page.getByRole('button', { name: form.button, exact: true }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, text] of Object.entries(form.fields)) {
    await dialog.getByLabel(label, { exact: true }).fill(text)
  }
  const send = () => dialog.getByRole('button', { name: form.submit }).click()
  await injectFault({ page, call: form.call, fault: { status: 503, json: { error: 'Closed today' } } })
  await send()
  await expectText(dialog.getByRole('alert'), 'Closed today')
  await expectToast(page, [form.title, 'Closed today'])

  const wordless = await startWordlessServer()
  await page.route(`**${form.call.split(' ')[1]}`, (route) => route.continue({ url: wordless.url }))
  await send()
  await expectText(dialog.getByRole('alert'), 'An unknown error occurred')
  await expectToast(page, [form.title, form.title])
  wordless.server.close()
})

test('a user who cannot be fetched is anonymous, and the log says why', async () => {
  page = await browser.context.newPage()
  await browser.context.addCookies(api.cookies())
  await injectFault({ page, call: 'GET /api/user', fault: { status: 500, json: { error: 'boom' } } })
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Register' }).waitFor()
  const log = await page.evaluate(() =>
    JSON.stringify((globalThis as { catenaryLog?: () => unknown }).catenaryLog?.()),
  )
  expect(log).toContain('Failed to fetch user')
})

test.each([
  { what: 'debug settings', call: 'GET /api/admin/debug-mode', text: 'Failed to fetch debug settings' },
  {
    what: 'variables',
    call: 'GET /api/variables',
    text: 'There was an error loading variables. Please try again.',
  },
  { what: 'prompts', call: 'GET /api/prompts', text: 'The prompts could not be loaded' },
  { what: 'the history', call: 'GET /api/prompts/1/executions', text: 'The history could not be loaded' },
])(
  'what stands in the place of $what that cannot be loaded, and the way to try again',
  async ({ call, text }) => {
    const path = { 'GET /api/variables': '/variables', 'GET /api/prompts/1/executions': EXECUTE }[call] ?? '/'
    page = await browser.context.newPage()
    await browser.context.addCookies(api.cookies())
    await injectFault({ page, call, fault: { status: 500, json: { error: 'boom' } } })
    await page.goto(server.url + path)
    if (call.includes('admin')) await page.getByRole('button', { name: 'Admin Settings' }).click()
    if (path === EXECUTE) await page.getByRole('button', { name: 'Execution history' }).click()
    const alert = page.getByRole('alert').filter({ hasText: text })
    await alert.getByText('500: boom', { exact: true }).waitFor()
    await page.unroute(`**${call.split(' ')[1]}`)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
  },
)

test('a clipboard that refuses is told', async () => {
  await open({ path: '/' })
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('No', 'NotAllowedError'))
  })
  await cardOf(page, PROMPT).hover()
  await cardOf(page, PROMPT).getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, ['Error', 'Failed to copy to clipboard'])
})

test.each(['/execute/999', '/execute/none'])('Prompt Not Found at %s, with a way back', async (path) => {
  await open({ path: '/variables' })
  await page.goto(server.url + path)
  await page.getByRole('heading', { name: 'Prompt Not Found' }).waitFor()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await page.getByRole('heading', { name: 'Variables', level: 1 }).waitFor()
})

interface Visit {
  path: string
  isGuest?: boolean
  withClock?: boolean
}

async function open({ path, isGuest = false, withClock = false }: Visit): Promise<void> {
  await browser.context.clearCookies()
  if (!isGuest) await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
  if (withClock) await page.clock.install()
  await page.goto(server.url + path)
  const sign = isGuest ? 'Register' : 'Logout'
  await page.getByRole('button', { name: sign, includeHidden: true }).first().waitFor({ state: 'attached' })
}

/** Lets a little of the page's time go by. */
async function passing(calls: () => number): Promise<number> {
  await page.clock.runFor(100)
  return calls()
}

/** Answers 500 with neither a body nor a status text. */
async function startWordlessServer(): Promise<{ server: Server; url: string }> {
  const wordless = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 500 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  await once(wordless, 'listening')
  const address = wordless.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return { server: wordless, url: `http://127.0.0.1:${address.port}/` }
}
