import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, forgetCopied, lastCopied } from './harness/clipboard.ts'
import { expectText, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const ANSWER_CLICKS = 3
const CHAIN_CLICKS = 6
const CODE_CLICKS = 9
const account = { username: 'ada', email: 'ada@example.org', password: 'a bridge hangs by its own weight' }
const run = promisify(execFile)

let server: RunningServer
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer()
  browser = await openBrowser({ viewport: { width: 1440, height: 900 } })
  await allowClipboard(browser.context)
  page = await browser.context.newPage()
  await countClicks(page)
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test(
  'From registering it takes 3 clicks to a first answer, 6 to a chain’s run, 9 to a call from code.',
  async () => {
    showLogsOnFailure(server)
    await register()
    await page.evaluate(() => sessionStorage.setItem('clicks', '0'))
    const steps = page.getByRole('region', { name: /^First steps/ })
    await expectText(steps, /0 of 4/)
    await steps.getByRole('button', { name: 'Add a model key' }).waitFor()

    await page.getByRole('button', { name: 'Start with examples' }).click()
    await page.getByRole('article', { name: 'Product launch email' }).waitFor()
    await steps.getByRole('link', { name: 'Run a prompt' }).click()
    await page.getByRole('button', { name: /^Execute$/ }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    await expectText(page.getByRole('figure', { name: 'AI response' }), /\[sandbox\]/)
    expect(await clicks()).toBeLessThanOrEqual(ANSWER_CLICKS)

    await steps.getByRole('link', { name: 'Chain two prompts' }).click()
    await page.getByRole('button', { name: 'Execute Chain' }).click()
    await page
      .getByRole('dialog', { name: 'Execute Chain' })
      .getByRole('button', { name: 'Execute Chain' })
      .click()
    await page.getByText('All 3 steps are done.').first().waitFor()
    expect(await clicks()).toBeLessThanOrEqual(CHAIN_CLICKS)

    await page.getByRole('button', { name: 'Create Token' }).click()
    await page.getByRole('dialog', { name: 'Create Token' }).getByLabel('Token Name').fill('First')
    await page
      .getByRole('dialog', { name: 'Create Token' })
      .getByRole('button', { name: /^Create Token/ })
      .click()
    await forgetCopied(page)
    await page
      .getByRole('dialog', { name: 'Your new token' })
      .getByRole('button', { name: 'Copy curl command' })
      .click()
    await expect.poll(() => lastCopied(page), PATIENCE).toContain('curl')
    const command = (await lastCopied(page)) ?? ''
    expect(await clicks()).toBeLessThanOrEqual(CODE_CLICKS)
    expect(await clicks()).toBeGreaterThan(CHAIN_CLICKS)

    const { stdout } = await run('sh', ['-c', command], { env: { PATH: process.env.PATH } })
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: expect.stringContaining('[sandbox]') }],
    })

    await page.keyboard.press('Escape')
    await expectText(steps, /4 of 4/)
    await page.goto(server.url)
    await page.getByRole('article', { name: 'Product launch email' }).waitFor()
    expect(await steps.count()).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  'examples go in one click, but not what was changed, and can be brought back',
  async () => {
    await page.goto(server.url)
    const card = page.getByRole('article', { name: 'Tone check' })
    await card.getByRole('switch').click()
    await page.getByText('Prompt has been deactivated').first().waitFor()
    await page.getByRole('button', { name: 'Remove examples' }).click()
    await page
      .getByText(/you changed \(Tone check\)/)
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('article').count(), PATIENCE).toBeLessThan(8)
    await card.waitFor()
    expect(await page.getByRole('button', { name: 'Remove examples' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Bring back' }).click()
    await page.getByRole('article', { name: 'SQL from a question' }).waitFor()
  },
  TIMEOUT_MS,
)

async function register(): Promise<void> {
  await page.goto(`${server.url}/auth`)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByLabel('Confirm password').fill(account.password)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Start with something that runs' }).waitFor()
}

/** The page itself counts each press of its pointer, across loads. */
async function countClicks(counted: Page): Promise<void> {
  await counted.addInitScript(() => {
    const count = (event: MouseEvent) => {
      // A key on a button makes a click of no press.
      if (!event.isTrusted || event.detail === 0) return
      sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
    }
    window.addEventListener('click', count, { capture: true })
  })
}

const clicks = async (): Promise<number> =>
  Number(await page.evaluate(() => sessionStorage.getItem('clicks')))
