import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, lastCopied } from './harness/clipboard.ts'
import { expectText, expectToast } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const CARDS = ['Core Task', 'User Preferences', 'Coding Standards', 'Error Handling', 'Feedback Requirements']
const TEMPLATES = [
  'Decision Confirmation',
  'Code Standards Enforcement',
  'Performance Optimization',
  'No Workarounds',
]
const WIDTH = 1200

let server: RunningServer
let browser: OpenBrowser
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  const api = createApi(server.url)
  await seed(api)
  browser = await openBrowser({ viewport: { width: WIDTH, height: 900 } })
  await allowClipboard(browser.context)
  await browser.context.addCookies(api.cookies())
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test('The builder has two columns, five cards, four templates and ‘Generate Prompt’. It shows the generated prompt with Copy, Cancel and ‘Accept Prompt’, which says ‘Prompt Accepted’.', async () => {
  const page = await browser.context.newPage()
  await page.goto(`${server.url}/?prompt=new`)
  const form = page.getByRole('dialog', { name: 'Create New Prompt' })
  const builder = page.getByRole('dialog', { name: 'Advanced Prompt Builder' })
  const advanced = form.getByRole('radio', { name: 'Advanced' })
  const field = (card: string) => builder.getByRole('region', { name: card }).getByRole('textbox')
  const generated = builder.getByRole('region', { name: 'Generated Prompt' })

  await advanced.click()
  const box = await builder.boundingBox()
  expect(box?.width).toBe(0.9 * WIDTH)
  for (const card of CARDS) await field(card).waitFor()
  const [left, right] = await Promise.all([field('Core Task').boundingBox(), generated.boundingBox()])
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0)

  await builder.getByRole('button', { name: 'Generate Prompt' }).click()
  await builder.getByText('Please describe what the AI should do', { exact: true }).waitFor()
  await field('Core Task').fill('Review the change.')
  for (const name of TEMPLATES) {
    await field('User Preferences').fill('')
    await builder.getByRole('button', { name }).click()
    await expectText(field('User Preferences'), /\w+ \w+ \w+ \w+/)
  }
  await field('User Preferences').fill('Be brief.')
  await field('Feedback Requirements').fill('List what you did.')
  await builder.getByRole('button', { name: 'Generate Prompt' }).click()
  const text =
    'Task:\nReview the change.\n\nPreferences:\nBe brief.\n\nFeedback Requirements:\nList what you did.'
  await generated.getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, ['Copied to clipboard', 'Prompt content has been copied to clipboard'])
  expect(await lastCopied(page)).toBe(text)

  await builder.getByRole('button', { name: 'Cancel' }).click()
  await builder.waitFor({ state: 'detached' })
  expect(await form.getByRole('radio', { name: 'Basic' }).getAttribute('aria-checked')).toBe('true')

  await advanced.click()
  await field('Core Task').fill('Review the change.')
  await builder.getByRole('button', { name: 'Accept Prompt' }).click()
  await expectToast(page, ['Prompt Accepted', 'The generated prompt is now the content.'])
  await builder.waitFor({ state: 'detached' })
  expect(await form.getByRole('radio', { name: 'Basic' }).getAttribute('aria-checked')).toBe('true')
  await expectText(form.getByRole('textbox', { name: 'Content' }), /Review the change\./)
})
