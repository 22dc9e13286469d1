import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startFakeGoogle } from '../apps/server/src/testing/fake-google/fake-google.ts'
import { type LocalServer, serveHttp } from '../apps/server/src/testing/local-server.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard } from './harness/clipboard.ts'
import { injectFault } from './harness/faults.ts'
import { expectAddress, expectClosed, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const SECRET = 'Bearer c4n4ry-header'
const FILE_TEXT = 'Warm, exact. Short words before long ones.'

let http: LocalServer
let google: Awaited<ReturnType<typeof startFakeGoogle>>
let server: RunningServer
/** Where Google sends people back to. */
let url: string
let api: Api
let browser: OpenBrowser
let page: Page
/** What the HTTP API answers next, and the headers that it was last asked with. */
let released = 1
let askedWith: string | undefined

beforeAll(async () => {
  http = await serveHttp((request, response) => {
    askedWith = request.headers.authorization
    if (request.url === '/broken') response.statusCode = 500
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ version: released }))
  })
  google = await startFakeGoogle()
  google.addFiles({
    id: 'drive-1',
    name: 'Terms of service 2026',
    mimeType: 'application/vnd.google-apps.document',
    content: 'Be kind to readers.',
  })
  const env = { LOG_LEVEL: 'warn', FETCH_ALLOW_HOSTS: `127.0.0.1:${http.port}`, ...google.env }
  server = await startServer({ env })
  url = `http://localhost:${server.port}`
  api = createApi(url)
  await seed(api)
  browser = await openBrowser()
  await allowClipboard(browser.context)
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await google?.close()
  await http?.close()
})

test('a text file: dragged or chosen, refused before it is sent, previewed, used in a prompt', async () => {
  await open('/variables')
  await page.getByRole('button', { name: 'New variable' }).click()
  await field('Name').fill('brand_voice')
  await page.getByRole('radio', { name: 'File' }).click()
  await page.getByText('File content will appear here', { exact: true }).waitFor()
  await page
    .getByLabel('File to upload')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('x') })
  await page.getByText(/^logo\.png can’t be uploaded/).waitFor()
  await dropFile({ name: 'brand-voice.md', text: FILE_TEXT })
  await page.getByText('brand-voice.md', { exact: true }).waitFor()
  await expectText(page.getByRole('figure', { name: 'File content' }).locator('pre'), FILE_TEXT)
  await page.getByRole('button', { name: 'Create Variable' }).click()
  await expectToast(page, ['Variable created', '$<brand_voice> can be used in every prompt.'])

  await expectText(row('brand_voice'), /filebrand-voice\.md/)
  await row('brand_voice').getByRole('button', { name: 'Preview brand_voice' }).click()
  await expectText(page.getByRole('figure', { name: 'Preview' }).locator('p'), FILE_TEXT)
  await openPrompt('Voice: $<brand_voice>')
  await expect.poll(() => readValue('brand_voice'), PATIENCE).toBe(FILE_TEXT)
})

test('an API: its headers stay secret, Fetch API shows what it says now, a run what it says then', async () => {
  released = 1
  await open('/variables?variable=new')
  await field('Name').fill('release_notes')
  await page.getByRole('radio', { name: 'API' }).click()
  await field('API URL').fill(`http://127.0.0.1:${http.port}/latest?key=1`)
  await page.getByRole('radio', { name: 'JSON' }).click()
  await field('Headers as JSON').fill('{ "Authorization": ')
  await page.getByRole('button', { name: 'Create Variable' }).click()
  const refusal = 'API Headers must be valid JSON. Please correct and try again.'
  await expectToast(page, ['Invalid Headers Format', refusal])
  await field('Headers as JSON').fill(`{ "Authorization": "${SECRET}" }`)
  await page.getByRole('button', { name: 'Create Variable' }).click()
  await expectToast(page, ['Variable created', '$<release_notes> can be used in every prompt.'])

  await row('release_notes').getByRole('button', { name: 'Edit release_notes' }).click()
  expect(await field('Value of header 1').getAttribute('type')).toBe('password')
  await page.getByText('API content will appear here after fetching', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Fetch now' }).click()
  await expectToast(page, ['Variable Content Fetched', 'Successfully fetched content for release_notes'])
  await expectText(page.getByRole('figure', { name: 'API content' }), /"version": 1/)
  expect(askedWith).toBe(SECRET)

  await openPrompt('News: $<release_notes>')
  await expect.poll(() => readValue('release_notes'), PATIENCE).toContain('"version": 1')
  released = 2
  await page.getByRole('button', { name: 'Fetch API: release_notes' }).click()
  await expectToast(page, ['Variable Content Fetched', 'Successfully fetched content for release_notes'])
  await expect.poll(() => readValue('release_notes'), PATIENCE).toContain('"version": 2')
  released = 3
  const sent = page.waitForRequest('**/api/execute-prompt')
  await page.getByRole('button', { name: /^Execute/ }).click()
  expect((await sent).postDataJSON()).not.toHaveProperty('variableValues')
  await page.getByText('Done', { exact: true }).waitFor()
  const history = page.getByRole('region', { name: 'Execution history' })
  await history.getByRole('button', { name: 'Execution history' }).click()
  await history.getByRole('button', { name: /^News: .*"version": 3/ }).click()
  const values = page.getByRole('region', { name: 'Values' })
  await expectText(
    values,
    new RegExp(`release_notes.*fetched.*http://127.0.0.1:${http.port}/latest · revision 1`),
  )
  expect(await values.textContent()).not.toContain('key=1')
})

test('The form of a Google Drive variable has Connect, the picker, ‘Failed to open Google Drive picker.’, ‘Authentication Error’, and Disconnect.', async () => {
  await open('/variables?variable=new')
  await field('Name').fill('contract_terms')
  await page.getByRole('radio', { name: 'Google Drive' }).click()
  await page.getByRole('region', { name: 'Authorization required' }).waitFor()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Connected as drive.owner@example.org').waitFor()

  await page.evaluate(() => {
    Object.assign(globalThis, { realOpen: globalThis.open, open: () => null })
  })
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await expectToast(page, ['Error', 'Failed to open Google Drive picker.'])
  await page.evaluate(() => {
    globalThis.open = (globalThis as unknown as { realOpen: typeof globalThis.open }).realOpen
  })
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  const popup = await opened
  await expectClosed(popup, () => popup.getByRole('button', { name: /Terms of service 2026/ }).click())
  await page.getByText('Google Drive file: Terms of service 2026', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create Variable' }).click()
  await expectToast(page, ['Variable created', '$<contract_terms> can be used in every prompt.'])
  await openPrompt('Terms: $<contract_terms>')
  await expect.poll(() => readValue('contract_terms'), PATIENCE).toBe('Be kind to readers.')

  await page.goto(`${url}/variables`)
  await row('contract_terms').getByRole('button', { name: 'Edit contract_terms' }).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('region', { name: 'Authorization required' }).waitFor()
})

test('a new name is written into one’s own prompts, and a deletion says what uses the variable', async () => {
  await api.post('/api/variables', { name: 'old_name', type: 'text', content: 'x' })
  const id = await createPrompt('Take $<old_name>.')
  await open('/variables')
  await expectText(row('old_name'), /1 prompt/)
  await row('old_name').getByRole('button', { name: 'Edit old_name' }).click()
  await field('Name').fill('new_name')
  await page.getByRole('switch', { name: 'Write $<new_name> into it' }).waitFor()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, ['Variable updated', '$<new_name> can be used in every prompt.'])
  const { content } = await api.get<{ content: string }>(`/api/prompts/${id}`)
  expect(content).toBe('Take $<new_name>.')

  let question = ''
  page.once('dialog', (dialog) => {
    question = dialog.message()
    void dialog.accept()
  })
  await row('new_name').getByRole('button', { name: 'Delete new_name' }).click()
  await row('new_name').waitFor({ state: 'detached' })
  expect(question).toContain('It is used by 1 prompt: “Take $<old_name>.”.')
})

test('The tag filter of variables calls by-tags and stands in the address.', async () => {
  const { id } = await api.post<{ id: number }>('/api/variables/tags', { name: 'legal' })
  await api.post('/api/variables', { name: 'clause', type: 'text', content: 'x', tagIds: [id] })
  await open('/variables')
  const called = page.waitForRequest(`**/api/variables/by-tags?tagIds=${id}`)
  await page.getByRole('region', { name: 'Variable Tags' }).getByRole('button', { name: 'legal' }).click()
  await called
  await expectAddress(page, `/variables?tags=${id}`)
  await expect.poll(() => page.getByRole('row').count(), PATIENCE).toBe(2)
})

test('a guest sees what is public without its secrets, and nothing is fetched for them', async () => {
  await api.post('/api/variables', {
    name: 'public_api',
    type: 'api',
    apiUrl: `http://127.0.0.1:${http.port}/public`,
    apiHeaders: { Authorization: SECRET },
    isPublic: true,
  })
  const hits = http.hits()
  await open('/variables', { isGuest: true })
  await page.getByText('Log in to create variables.', { exact: true }).waitFor()
  for (const name of ['New variable', 'Edit public_api', 'Delete public_api']) {
    expect(await page.getByRole('button', { name }).isDisabled(), name).toBe(true)
  }
  await row('public_api').getByRole('button', { name: 'Preview public_api' }).click()
  await page.getByText('API content will appear here after fetching', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Fetch API' }).count()).toBe(0)
  expect(await page.evaluate(async () => (await fetch('/api/variables')).text())).not.toContain('c4n4ry')
  expect(http.hits()).toBe(hits)
})

test('A preview says what is missing, as by ‘No file path specified’.', async () => {
  const apiUrl = `http://127.0.0.1:${http.port}/broken`
  await api.post('/api/variables', { name: 'no_file', type: 'file' })
  await api.post('/api/variables', { name: 'broken', type: 'api', apiUrl })
  await open('/variables')
  await row('no_file').getByRole('button', { name: 'Preview no_file' }).click()
  await page.getByText('No file path specified', { exact: true }).waitFor()
  await openPrompt('$<broken> and $<nowhere>')
  await page.getByText(/^Error loading content: /).waitFor()
  expect(await field('nowhere').getAttribute('placeholder')).toBe('Variable nowhere not defined in system')
  await injectFault({ page, call: 'GET /api/proxy*', fault: { status: 502, json: { error: 'It rests' } } })
  await page.getByRole('button', { name: 'Fetch API: broken' }).click()
  await expectToast(page, ['Error', 'Failed to fetch variable content: It rests'])
  await page.getByText('Error loading content: It rests', { exact: true }).waitFor()
  await page.goto(`${url}/variables?variable=new`)
  await page.getByRole('radio', { name: 'File' }).click()
  await injectFault({ page, call: 'POST /api/upload', fault: { status: 500, json: { error: 'No room' } } })
  await page
    .getByLabel('File to upload')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expectToast(page, ['Error uploading file', 'No room'])
})

const field = (label: string) => page.getByLabel(label, { exact: true })
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

/** The whole value: a fetched one shows all of itself while it has the focus. */
async function readValue(name: string): Promise<string> {
  await field(name).focus()
  return field(name).inputValue()
}

async function open(path: string, { isGuest = false } = {}): Promise<void> {
  await browser.context.clearCookies()
  if (!isGuest) await browser.context.addCookies(api.cookies())
  page = await browser.context.newPage()
  await page.goto(url + path)
}

async function createPrompt(content: string): Promise<number> {
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const body = { title: content, content, categoryId: category?.id }
  return (await api.post<{ id: number }>('/api/prompts', body)).id
}

async function openPrompt(content: string): Promise<void> {
  await page.goto(`${url}/execute/${await createPrompt(content)}`)
}

/** Drops a file onto the form's field, as from the desktop. */
async function dropFile(file: { name: string; text: string }): Promise<void> {
  const data = await page.evaluateHandle(({ name, text }) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], name))
    return transfer
  }, file)
  await page.getByText('Drag a text file here').dispatchEvent('drop', { dataTransfer: data })
}
