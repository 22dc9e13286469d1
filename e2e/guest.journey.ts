import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, lastCopied } from './harness/clipboard.ts'
import { cardOf, expectAddress, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { seed, seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const QUESTION = 'You need to be logged in to access this feature. Would you like to log in now?'
const PROMPT = 'Welcome letter'
const newcomer = { username: 'grace', email: 'grace@example.org', password: 'compilers are for people' }

let server: RunningServer
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  await seed(createApi(server.url))
  browser = await openBrowser()
  await allowClipboard(browser.context)
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test('`/auth` is the landing page, ‘AI Prompt Management Platform’, with Log In, Create Account and Continue as Guest; a signed-in person goes to `/`.', async () => {
  await open('/auth')
  expect(await page.title()).toBe('Catenary – AI Prompt Management Tool')
  await page.getByText('AI Prompt Management Platform', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Log in' })
    .getByRole('button', { name: 'Create an account' })
    .click()
  await page.getByRole('dialog', { name: 'Create an account' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create Account', exact: true }).click()
  await page.getByRole('dialog', { name: 'Create an account' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Continue as Guest' }).click()
  await expectAddress(page, '/')
  await cardOf(page, PROMPT).waitFor()
})

test('Guests see Log in and Register, browse and copy the public prompts, and are asked to log in for everything else.', async () => {
  await open('/')
  await cardOf(page, PROMPT).waitFor()
  expect(await page.getByRole('article').count()).toBe(2)
  for (const name of ['Log in', 'Register']) await page.getByRole('button', { name, exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Settings' }).isDisabled()).toBe(true)
  expect(await page.getByRole('link', { name: 'Test Dashboard' }).count()).toBe(0)
  const actions = cardOf(page, PROMPT).getByRole('button', { name: /^Execute with AI$/ })
  expect(await actions.count()).toBe(0)

  await cardOf(page, PROMPT).hover()
  await cardOf(page, PROMPT).getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, ['Copied to clipboard', 'Prompt content has been copied to clipboard'])
  const copied = await lastCopied(page)
  expect(copied).toBe('Write a $<tone> welcome for $<customer>.')
})

test('A guest who tries to create, edit, delete or run gets the dialog ‘Authentication Required’.', async () => {
  await open('/')
  const title = page.getByRole('link', { name: PROMPT, exact: true })
  const active = page.getByRole('switch', { name: `Active: ${PROMPT}` })
  await expect.poll(() => active.getAttribute('aria-readonly'), PATIENCE).toBe('true')
  const tries: Record<string, () => Promise<void>> = {
    create: () => page.getByRole('button', { name: 'New prompt' }).click(),
    activate: () => active.click(),
    edit: () => title.press('e'),
    delete: () => title.press('Delete'),
    'add a category': () => page.getByRole('button', { name: 'Add Category' }).click(),
    'add a tag': () => page.getByRole('button', { name: 'Add Tag' }).click(),
    execute: async () => {
      await title.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Execute with AI' }).click()
    },
  }
  const dialog = page.getByRole('alertdialog', { name: 'Authentication Required' })
  for (const [what, attempt] of Object.entries(tries)) {
    await attempt()
    await dialog.getByText(QUESTION, { exact: true }).waitFor()
    expect(await dialog.getByRole('button').allTextContents(), what).toEqual(['Cancel', 'Log in', 'Register'])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Escape')
  expect(await active.getAttribute('aria-checked')).toBe('true')
})

test('`/variables` is the variables library, where guests see and make nothing.', async () => {
  await open('/variables')
  await page.getByText('Log in to create variables.', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'New variable' }).isDisabled()).toBe(true)
})

test('A protected page leads to `/auth` without a user; any other path shows ‘404 Page Not Found’, ‘Did you forget to add the page to the router?’.', async () => {
  await open('/execute/1')
  await expectAddress(page, '/auth')
  await page.goto(`${server.url}/no/such/page`)
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  await page.getByText('Did you forget to add the page to the router?', { exact: true }).waitFor()
  await page.goto(`${server.url}/test-dashboard.html`)
  await expectAddress(page, '/auth')
})

test('A protected page shows a spinner while the session loads.', async () => {
  const ended = createApi(server.url)
  const { username, password } = seedAccount
  await ended.post('/api/login', { username, password })
  await open('/auth')
  await browser.context.addCookies(ended.cookies())
  await ended.post('/api/logout')
  const release = Promise.withResolvers<void>()
  await page.route('**/api/user', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.goto(`${server.url}/execute/1`)
  await page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/execute/1')
  release.resolve()
  await expectAddress(page, '/auth')
})

test('Log in says ‘Username must be at least 3 characters’ and ‘Password must be at least 6 characters’; registering, logging in and out reload the page and say so: ‘Registration successful’, ‘Login successful’, ‘Welcome, {username}!’, ‘Logged out’, ‘You have been successfully logged out.’', async () => {
  await open('/')
  await page.getByRole('button', { name: 'New prompt' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Register' }).click()
  const form = page.getByRole('dialog', { name: 'Create an account' })
  await form.getByLabel('Username').fill('ab')
  await form.getByLabel('Email').fill('nobody')
  await form.getByLabel('Password', { exact: true }).fill('12345')
  await form.getByRole('button', { name: 'Create account' }).click()
  for (const message of [
    'Username must be at least 3 characters',
    'Please enter a valid email address',
    'Password must be at least 6 characters',
  ]) {
    await form.getByText(message, { exact: true }).waitFor()
  }
  await form.getByLabel('Username').fill(newcomer.username)
  await form.getByLabel('Email').fill(newcomer.email)
  await form.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await form.getByRole('button', { name: 'Create account' }).click()
  await form.getByText("Passwords don't match", { exact: true }).waitFor()
  await form.getByLabel('Confirm password').fill(newcomer.password)
  await markPage()
  await form.getByRole('button', { name: 'Create account' }).click()
  await expectToast(page, ['Registration successful', `Welcome, ${newcomer.username}!`])
  await expectReloaded()

  await page.goto(`${server.url}/auth`)
  await expectAddress(page, '/')
  await markPage()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectToast(page, ['Logged out', 'You have been successfully logged out.'])
  await expectReloaded()

  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  const logIn = page.getByRole('dialog', { name: 'Log in' })
  await logIn.getByLabel('Username').fill('ab')
  await logIn.getByLabel('Password').fill('12345')
  await logIn.getByRole('button', { name: 'Log in' }).click()
  await logIn.getByText('Username must be at least 3 characters', { exact: true }).waitFor()
  await logIn.getByText('Password must be at least 6 characters', { exact: true }).waitFor()
  await logIn.getByLabel('Username').fill(newcomer.username)
  await logIn.getByLabel('Password').fill(seedAccount.password)
  await logIn.getByRole('button', { name: 'Log in' }).click()
  await expectText(logIn.getByRole('alert'), 'Invalid username or password')
  await logIn.getByLabel('Password').fill(newcomer.password)
  await markPage()
  await logIn.getByRole('button', { name: 'Log in' }).click()
  await expectToast(page, ['Login successful', `Welcome, ${newcomer.username}!`])
  await expectReloaded()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByText(newcomer.username, { exact: true }).waitFor()
})

async function open(path: string): Promise<void> {
  await browser.context.clearCookies()
  page = await browser.context.newPage()
  await page.goto(server.url + path)
}

/** Leaves a mark that a reload takes away. */
async function markPage(): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-before', ''))
}

async function expectReloaded(): Promise<void> {
  expect(await page.locator('[data-before]').count()).toBe(0)
}
