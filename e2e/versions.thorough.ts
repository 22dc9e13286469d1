import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { chooseOnPage } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const lines = Array.from({ length: 30 }, (_, index) => `Rule ${index + 1} stays as it is.`)

let server: RunningServer
let api: Api
let browser: OpenBrowser | undefined
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
}, TIMEOUT_MS)
afterEach(async () => {
  await browser?.close()
  browser = undefined
})
afterAll(() => server?.dispose())

test(
  'Versions are listed with their notes, compared and restored.',
  async () => {
    showLogsOnFailure(server)
    const id = await createPrompt()
    const { page, complaints } = await openPage()
    await page.goto(`${server.url}/?prompt=${id}`)
    const form = page.getByRole('dialog', { name: 'Edit Prompt' })
    await form.getByRole('button', { name: '1 version' }).click()
    await page.getByText('This is the only version so far').waitFor()
    await page.keyboard.press('Escape')

    await form.getByLabel('Title').fill('Launch letter')
    await form.getByRole('textbox', { name: 'Content' }).fill(contentOf('five'))
    await page.keyboard.press('Control+Enter')
    await page.getByText('Prompt updated').first().waitFor()
    await form.waitFor({ state: 'detached' })

    await page.goto(`${server.url}/?prompt=${id}`)
    await form.getByRole('button', { name: '2 versions' }).click()
    const versions = page.getByRole('dialog', { name: 'Versions' })
    await versions.getByRole('radio', { name: 'Version 1', checked: true }).waitFor()
    expect(await versions.getByRole('deletion').first().textContent()).toBe('Launch mail')
    expect(await versions.getByRole('insertion').first().textContent()).toBe('Launch letter')
    const older = versions.getByRole('textbox', { name: 'Version 1' })
    const newer = versions.getByRole('textbox', { name: 'Version 2 (current)' })
    await older.waitFor()
    expect(await older.locator('.cm-changedText').allTextContents()).toEqual(['three'])
    expect(await newer.locator('.cm-changedText').allTextContents()).toEqual(['five'])
    const [left, right] = [await older.boundingBox(), await newer.boundingBox()]
    expect(left?.y).toBe(right?.y)
    expect(left?.x).toBeLessThan(right?.x ?? 0)
    expect(await older.textContent()).not.toContain('Rule 15')
    await versions.getByRole('button', { name: 'Show all lines' }).click()
    await older.getByText('Rule 15 stays').waitFor()

    await versions.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Prompt updated').first().waitFor()
    await versions.waitFor({ state: 'detached' })
    expect(await form.getByLabel('Title').inputValue()).toBe('Launch mail')
    await form.getByRole('textbox', { name: 'Content' }).getByText('three facts').waitFor()
    await form.getByRole('button', { name: '3 versions' }).waitFor()

    await page.goto(`${server.url}/execute/${id}`)
    await chooseOnPage(page, 'Versions 3')
    await versions.getByRole('radio', { name: 'Version 3 Current' }).waitFor()
    await versions.getByRole('radio', { name: 'Version 1' }).click()
    await versions.getByText('The text is the same in both.').waitFor()
    expect(await versions.getByRole('button', { name: /Restore/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'someone saves while a version is looked at: the late restore shows both, and goes on as chosen',
  async () => {
    showLogsOnFailure(server)
    const id = await createPrompt()
    await save({ id, title: 'Launch letter', word: 'five' })
    const { page } = await openPage()
    await page.goto(`${server.url}/?prompt=${id}`)
    await page.getByRole('button', { name: '2 versions' }).click()
    const versions = page.getByRole('dialog', { name: 'Versions' })
    await versions.getByRole('button', { name: 'Restore version 1' }).click()
    await save({ id, title: 'Launch news', word: 'seven' })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
    const conflict = versions.getByRole('alert', { name: 'Conflicting changes' })
    expect(await conflict.getByLabel('Title: Version 1').inputValue()).toBe('Launch mail')
    expect(await conflict.getByLabel('Title: Saved now').inputValue()).toBe('Launch news')
    await versions.getByRole('radio', { name: 'Version 3 Current' }).waitFor()
    await conflict.getByRole('button', { name: 'Use what is saved' }).click()
    await versions.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Title').inputValue()).toBe('Launch news')
  },
  TIMEOUT_MS,
)

test(
  'a person builds a prompt from its parts, accepts it and creates it',
  async () => {
    showLogsOnFailure(server)
    const { page, complaints } = await openPage()
    await page.goto(`${server.url}/?prompt=new`)
    const form = page.getByRole('dialog', { name: 'Create New Prompt' })
    await form.getByLabel('Title').fill('Reviewer')
    await form.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('option', { name: 'Coding' }).click()
    await form.getByRole('radio', { name: 'Advanced' }).click()
    const builder = page.getByRole('dialog', { name: 'Advanced Prompt Builder' })
    expect((await builder.boundingBox())?.width).toBeLessThanOrEqual(1440 * 0.9)
    await page.keyboard.press('Control+Enter')
    await builder.getByText('Please describe what the AI should do').waitFor()
    await builder.getByRole('textbox', { name: 'Core Task' }).fill('Review the change in $<diff>.')
    await builder.getByRole('button', { name: 'No Workarounds' }).click()
    await builder.getByRole('textbox', { name: 'Feedback Requirements' }).fill('Defects first.')
    const preview = builder.getByRole('textbox', { name: 'Text of the generated prompt' })
    await preview.getByText('Defects first.').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Prompt Accepted').first().waitFor()
    await builder.waitFor({ state: 'detached' })
    await form.getByRole('radio', { name: 'Basic', checked: true }).waitFor()
    await form.getByRole('button', { name: /Create Prompt/ }).click()
    await page.getByText('Prompt created').first().waitFor()

    const prompts = await api.get<{ title: string; content: string }[]>('/api/prompts')
    const content = prompts.find(({ title }) => title === 'Reviewer')?.content
    expect(content).toMatch(
      /^Task:\nReview the change in \$<diff>\.\n\nPreferences:\nFix the cause.*\n\nFeedback Requirements:\nDefects first\.$/s,
    )
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

/** A signed-in page; what the console complains about, such as a breach of the policy, is kept. */
async function openPage(): Promise<{ page: Page; complaints: string[] }> {
  browser = await openBrowser()
  await browser.context.addCookies(api.cookies())
  const page = await browser.context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

function contentOf(word: string): string {
  return [`Give ${word} facts.`, ...lines].join('\n')
}

async function createPrompt(): Promise<number> {
  const body = { title: 'Launch mail', content: contentOf('three'), categoryId: 1 }
  return (await api.post<{ id: number }>('/api/prompts', body)).id
}

async function save({ id, title, word }: { id: number; title: string; word: string }): Promise<void> {
  const body = { title, content: contentOf(word), categoryId: 1 }
  expect((await api.call('PUT', `/api/prompts/${id}`, body)).status).toBe(200)
}
