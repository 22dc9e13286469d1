import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectAddress, expectText, expectToast } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const TIMEOUT_MS = 240_000
const other = { username: 'grace', email: 'grace@example.org', password: 'another-secret-1' }

const login = { username: seedAccount.username, password: seedAccount.password }

let server: RunningServer
let api: Api
let provider: FakeProvider
let browser: OpenBrowser
let promptId: number
beforeAll(async () => {
  provider = await startFakeProvider({ vendor: 'openai' })
  const model = { OPENAI_API_KEY: 'journey', OPENAI_BASE_URL: provider.url }
  server = await startServer({ env: { REGISTRATION: 'open', ...model } })
  browser = await openBrowser()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const prompt = { title: 'Note', content: 'Be kind.', categoryId: 1 }
  promptId = (await api.post<{ id: number }>('/api/prompts', prompt)).id
  await createApi(server.url).post('/api/register', other)
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await provider?.close()
})

/** The half-filled form of a prompt whose session has ended meanwhile. */
async function saveWithoutSession(): Promise<Page> {
  const owner = createApi(server.url)
  await owner.post('/api/login', login)
  await browser.context.clearCookies()
  await browser.context.addCookies(owner.cookies())
  const page = await browser.context.newPage()
  await page.goto(`${server.url}/?prompt=${promptId}`)
  await page.getByLabel('Title').fill('A longer thought')
  await owner.post('/api/logout')
  await page.keyboard.press('Control+Enter')
  return page
}

async function logIn(page: Page, { username, password }: { username: string; password: string }) {
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Log in' }).click()
}

test(
  'When a session ended elsewhere, people log in over the page: the text stays and the call is made again.',
  async () => {
    const page = await saveWithoutSession()
    const dialog = page.getByRole('dialog', { name: 'Log in' })
    await dialog.getByText(/Your session has ended/).waitFor()
    expect(await dialog.getByLabel('Username').inputValue()).toBe(seedAccount.username)
    await logIn(page, seedAccount)
    await expectToast(page, ['Prompt updated', 'Your prompt has been updated successfully'])
    await api.post('/api/login', login)
    expect(await api.get(`/api/prompts/${promptId}`)).toMatchObject({ title: 'A longer thought' })
    await page.getByText('Saved as version 2').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, ['Version 1 restored', 'Version 3 has the content of version 1.'])
    expect(await api.get(`/api/prompts/${promptId}`)).toMatchObject({ title: 'Note', version: 3 })
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'When another person logs in over the page, nothing is repeated.',
  async () => {
    const page = await saveWithoutSession()
    const before = await api.get(`/api/prompts/${promptId}`)
    await logIn(page, other)
    await expectToast(page, ['Login successful', 'Welcome, grace!'])
    await expectAddress(page, '/')
    await page.getByRole('button', { name: 'Logout' }).waitFor()
    expect(await api.get(`/api/prompts/${promptId}`)).toEqual(before)
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'A guest who is sent to the landing page learns why, and comes back after logging in.',
  async () => {
    await browser.context.clearCookies()
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/execute/${promptId}?model=claude`)
    await page.getByText('Log in to run a prompt. You’ll then return to that page.').waitFor()
    await expectAddress(page, '/auth')
    await page.getByRole('button', { name: 'Log In' }).click()
    await logIn(page, seedAccount)
    await expectAddress(page, `/execute/${promptId}?model=claude`)
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'Reloading the page goes on with the run of its prompt.',
  async () => {
    const pieces = Array.from({ length: 60 }, (_, piece) => `piece ${piece}. `)
    provider.replyByDefault(() => ({ text: pieces, delayMs: 100 }))
    await api.post('/api/login', login)
    await browser.context.addCookies(api.cookies())
    const page = await browser.context.newPage()
    await page.goto(`${server.url}/execute/${promptId}?model=openai`)
    await page.getByRole('button', { name: /^Execute/ }).click()
    const answer = page.getByRole('region', { name: 'Response' })
    await expectText(answer, /piece 3\./)
    await page.reload()
    await page.getByRole('button', { name: /^Stop/ }).waitFor()
    await expectText(answer, /piece 0\..*piece 59\./s)
    await page.getByText('Done', { exact: true }).waitFor()
    expect(provider.journal.length).toBe(1)
    await page.close()
  },
  TIMEOUT_MS,
)
