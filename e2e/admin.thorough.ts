import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const KEY = 'key-that-nobody-may-see'
const grace = { username: 'grace', email: 'grace@example.org', password: 'compilers are for people' }

let provider: Awaited<ReturnType<typeof startFakeProvider>>
let server: RunningServer
let admin: Api
let user: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  provider = await startFakeProvider({ vendor: 'anthropic' })
  const env = { LOG_LEVEL: 'warn', ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url }
  server = await startServer({ env })
  admin = createApi(server.url)
  await admin.post('/api/register', seedAccount)
  user = createApi(server.url)
  await user.post('/api/register', grace)
  browser = await openBrowser()
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await provider?.close()
})

test('Admin Settings say ‘Configure system-wide admin settings’, and warn while debug mode is on: ‘Debug mode updated’, ‘Debug mode is now enabled’ or ‘disabled’.', async () => {
  await open(admin)
  let reads = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/admin/debug-mode')) reads += 1
  })
  await page.getByRole('button', { name: 'Admin Settings' }).waitFor()
  expect(reads).toBe(0)
  const dialog = await openAdminSettings()
  await dialog.getByText('Configure system-wide admin settings', { exact: true }).waitFor()
  const toggle = dialog.getByRole('switch', { name: 'Debug mode' })
  const warning = dialog.getByRole('status').filter({ hasText: 'Debug mode is on.' })
  await expect.poll(() => toggle.getAttribute('aria-checked'), PATIENCE).toBe('false')
  expect(await warning.count()).toBe(0)
  expect(reads).toBe(1)

  await toggle.click()
  await expectToast(page, ['Debug mode updated', 'Debug mode is now enabled'])
  await warning.waitFor()
  expect(await admin.get('/api/admin/debug-mode')).toEqual({ debugMode: true })
  await toggle.click()
  await expectToast(page, ['Debug mode updated', 'Debug mode is now disabled'])
  await warning.waitFor({ state: 'detached' })
  expect(await admin.get('/api/admin/debug-mode')).toEqual({ debugMode: false })
})

test('Version and commit are in `/healthz`, open to everyone, and at the foot of an administrator’s settings.', async () => {
  await open(admin, '/settings/general')
  const health = (await (await fetch(`${server.url}/healthz`)).json()) as { version: string; commit: string }
  expect(health).toEqual({
    status: 'ok',
    version: health.version,
    commit: expect.stringMatching(/^[0-9a-f]{7,}$/),
  })
  const footer = page.locator('footer')
  await expectText(footer, new RegExp(`^Catenary ${health.version}, commit ${health.commit}$`))
})

test('the models tell which have a key, never the key, and a test makes one short call', async () => {
  await open(admin, '/settings/models')
  const group = (name: string) => page.getByRole('region', { name, exact: true })
  await expectText(group('Anthropic'), /key ending in •••• -see.*from the environment, ANTHROPIC_API_KEY/)
  await expectText(group('OpenAI'), /No key\. Set OPENAI_API_KEY where Catenary runs/)
  expect(await page.getByRole('button', { name: 'Test openai' }).count()).toBe(0)
  provider.reply({ text: 'OK' })
  await page.getByRole('button', { name: 'Test claude' }).click()
  await expectText(
    page.getByRole('status', { name: 'Test of claude' }),
    /answered in \d+ ms\s*Asked: \S+\/v1\/messages$/,
  )
  expect(provider.journal).toHaveLength(1)
  expect(await page.content()).not.toContain(KEY)
})

test('an admin makes another one, and disables an account, whose sessions end at once', async () => {
  await open(admin, '/settings/people')
  const choose = async (role: string) => {
    await page.getByRole('combobox', { name: 'Role of grace' }).click()
    await page.getByRole('option', { name: role, exact: true }).click()
  }
  await choose('Admin')
  await expectToast(page, ['User updated', 'grace is now an admin'])
  expect(await user.get('/api/user')).toMatchObject({ role: 'admin' })
  await choose('User')
  await expectToast(page, ['User updated', 'grace is no longer an admin'])
  expect(await page.getByRole('button', { name: 'Disable ada' }).isDisabled()).toBe(true)

  await page.getByRole('button', { name: 'Disable grace' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, ['User updated', 'grace has been disabled'])
  expect((await user.call('GET', '/api/user')).status).toBe(401)
  await page.getByRole('button', { name: 'Enable grace' }).click()
  await expectToast(page, ['User updated', 'grace has been enabled'])
  await user.post('/api/login', { username: grace.username, password: grace.password })
})

test('`/test-dashboard.html` opens in a new tab, shows its checks and does not crash.', async () => {
  await open(admin)
  const crashes: string[] = []
  browser.context.once('page', (tab) => tab.on('pageerror', ({ message }) => crashes.push(message)))
  const opening = browser.context.waitForEvent('page')
  await page.getByRole('link', { name: 'Test Dashboard' }).click()
  const tab = await opening
  expect(new URL(tab.url()).pathname).toBe('/test-dashboard.html')
  await tab.getByRole('heading', { name: 'Test Dashboard', level: 1 }).waitFor()
  const checks = tab.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  await tab.getByText(/^\d+ checks: \d+ ok/).waitFor({ timeout: 60_000 })
  const titles = await checks.getByRole('heading').allTextContents()
  for (const title of ['Database', 'Claude', 'Mail', 'Outgoing-fetch guard', 'Browser storage']) {
    expect(titles.join()).toContain(title)
  }
  expect(await checks.filter({ hasText: 'Failed' }).count()).toBe(0)
  expect(await tab.locator('#root > *').count()).toBe(1)
  expect(crashes).toEqual([])
  const download = tab.waitForEvent('download')
  await tab.getByRole('button', { name: 'Download' }).click()
  expect(await text(await (await download).createReadStream())).toContain('"level"')
  await tab.close()
})

test('‘Settings’ reads ‘Admin Settings’ for administrators, who alone have ‘Test Dashboard’, and is disabled for guests (D13).', async () => {
  await open(user)
  expect(await page.getByRole('link', { name: 'Test Dashboard' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Admin Settings' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.waitForURL('**/settings/profile')
  expect(await page.locator('footer').count()).toBe(0)
  const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  expect(await sections.allTextContents()).toEqual([
    'Profile',
    'Password',
    'Sessions',
    'Appearance',
    'Default model',
    'Time zone',
    'Notifications',
    'Ownership',
    'Groups',
    'Activity',
  ])
  await page.goto(`${server.url}/settings/models`)
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  await page.goto(`${server.url}/test-dashboard.html`)
  await page.getByText('This page is for administrators.').waitFor()
  for (const path of ['debug-mode', 'users', 'models', 'checks']) {
    expect((await user.call('GET', `/api/admin/${path}`)).status, path).toBe(403)
  }
  expect((await user.call('POST', '/api/admin/debug-mode', { enabled: true })).status).toBe(403)
})

async function open(as: Api, path = '/'): Promise<void> {
  await browser.context.clearCookies()
  await browser.context.addCookies(as.cookies())
  page = await browser.context.newPage()
  await page.goto(`${server.url}${path}`)
  await page.getByRole('button', { name: 'Logout' }).waitFor()
}

async function openAdminSettings() {
  const name = 'Admin Settings'
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.waitFor()
  return dialog
}
