import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type BrowserOptions, type OpenBrowser, openBrowser } from './harness/browser.ts'
import { injectFault } from './harness/faults.ts'
import { expectAddress, expectToast, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'

let server: RunningServer
const people: Record<string, Api> = {}
let browser: OpenBrowser | undefined

beforeAll(async () => {
  server = await startServer()
  for (const username of ['ada', 'olga', 'vic', 'edith']) {
    const api = createApi(server.url)
    await api.post('/api/register', { username, email: `${username}@example.org`, password: PASSWORD })
    people[username] = api
  }
  const olga = apiOf('olga')
  await olga.post('/api/variables', { type: 'text', name: 'support', content: 'Three tickets.' })
  for (const [title, content] of [
    ['Group tickets', 'Group these: $<support>'],
    ['Write a digest', 'A digest of {{tickets}}, in plain words.'],
  ]) {
    await olga.post('/api/prompts', { title, content, categoryId: 1 })
  }
}, TIMEOUT_MS)
afterEach(leave)
afterAll(() => server?.dispose())

test(
  'a chain of two library prompts and a variable is built, warned about, and put in order by drag, keys and menu',
  async () => {
    showLogsOnFailure(server)
    const { page, complaints } = await openPage({ as: 'olga' })
    await page.goto(`${server.url}/chains`)
    await page.getByText('No chains found.').waitFor()
    await page.getByRole('button', { name: 'Create Your First Chain' }).click()
    await page.getByRole('dialog', { name: 'Create New Chain' }).getByLabel('Name').fill('Monday digest')
    await page.keyboard.press('Control+Enter')
    await expectToast(page, ['Chain created', 'Your chain has been created successfully.'])
    await page.getByText('No steps yet').waitFor()

    await page.getByRole('button', { name: 'Add First Step' }).click()
    await fillStep(page, { output: 'tickets', prompt: 'Group tickets' })
    await expectToast(page, ['Step added', '“Group tickets” is now part of the chain.'])
    await page.keyboard.press('n')
    await fillStep(page, { output: 'digest', prompt: 'Write a digest' })
    await cardOf(page, 'Write a digest').getByText('takes').waitFor()

    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'Add Step' })
    await form.getByLabel('Title').fill('Subject line')
    await form.getByLabel('Output variable name').fill('subject')
    await form.getByRole('textbox', { name: 'Content' }).click()
    await page.keyboard.type('Eight words for {{dig')
    await page.getByRole('option', { name: /digest/ }).click()
    await page.keyboard.type(' and {{mail}}.')
    await form.getByText('No step produces {{mail}}, so it stays as written.').waitFor()
    await expectCleanPage(page)
    await page.keyboard.press('Control+Enter')
    const subject = cardOf(page, 'Subject line')
    await subject.getByText('Eight words for {{digest}} and {{mail}}.').waitFor()
    await subject.getByText('Output: subject').waitFor()
    await page.getByRole('note', { name: 'Warnings' }).getByRole('button', { name: 'step 3' }).waitFor()
    await expectCleanPage(page)

    await expectOrder(page, ['Group tickets', 'Write a digest', 'Subject line'])
    await dragStep(page, { from: 'Subject line', to: 'Group tickets' })
    await expectOrder(page, ['Subject line', 'Group tickets', 'Write a digest'])
    await expectToast(page, ['Steps reordered', '“Subject line” is now step 1 of 3.'])
    await subject.getByText('{{digest}} is only produced later, by step 3.').waitFor()

    await page.getByRole('button', { name: 'Move step 1: Subject line' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up Subject line, step 1 of 3.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowDown')
    await page.getByText('Subject line is over place 2 of 3.').waitFor({ state: 'attached' })
    await page.keyboard.press('Space')
    await expectOrder(page, ['Group tickets', 'Subject line', 'Write a digest'])
    await expectToast(page, ['Steps reordered', '“Subject line” is now step 2 of 3.'])
    await expectFocus(page, 'Move step 2: Subject line')

    await chooseOf(page, { step: 'Subject line', item: 'Move down' })
    await expectOrder(page, ['Group tickets', 'Write a digest', 'Subject line'])
    await expectFocus(page, 'More: Subject line')
    await chooseOf(page, { step: 'Subject line', item: 'Duplicate' })
    await page.getByText('Output: subject_2').waitFor()
    await page.reload()
    await expectOrder(page, ['Group tickets', 'Write a digest', 'Subject line', 'Subject line'])
    expect(complaints).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'the owner shares with a viewer and an editor; each does what they may, and a revoked one sees nothing more',
  async () => {
    showLogsOnFailure(server)
    const id = await createChain({ name: 'Shared work' })
    const owner = await openPage({ as: 'olga' })
    await owner.page.goto(`${server.url}/chains/${id}`)
    await owner.page.getByText('Private', { exact: true }).waitFor()
    await owner.page.keyboard.press('e')
    const form = owner.page.getByRole('dialog', { name: 'Edit Chain' })
    await form.getByRole('radio', { name: 'Shared: specific users' }).click()
    for (const name of ['vic', 'edith']) {
      await form.getByPlaceholder('Username').fill(name.slice(0, 2))
      await form.getByRole('option', { name }).click()
    }
    await form.getByRole('combobox', { name: 'Role of edith' }).click()
    await owner.page.getByRole('option', { name: 'Editor' }).click()
    await form.getByLabel('Tags').fill('weekly')
    await form.getByRole('button', { name: 'Add tag' }).click()
    await expectToast(owner.page, ['Tag created', '“weekly” can now be used on any chain.'])
    await expectCleanPage(owner.page)
    await form.getByRole('button', { name: /Save Changes/ }).click()
    await expectToast(owner.page, ['Chain updated', '“Shared work” was saved.'])
    await owner.page.getByText('Shared with 2').waitFor()
    await leave()

    const viewer = await openPage({ as: 'vic' })
    await viewer.page.goto(`${server.url}/chains/${id}`)
    await viewer.page.getByText('by olga').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Add Step' }).count()).toBe(0)
    expect(await viewer.page.getByRole('button', { name: 'Edit chain' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    await viewer.page.getByRole('button', { name: 'First', exact: true }).click()
    await viewer.page.getByRole('dialog', { name: 'First' }).getByText('Sum up $<support>.').waitFor()
    await leave()

    const editor = await openPage({ as: 'edith' })
    await editor.page.goto(`${server.url}/chains/${id}`)
    await editor.page.getByRole('button', { name: 'First', exact: true }).click()
    const step = editor.page.getByRole('dialog', { name: 'Edit Step' })
    await step.getByLabel('Title').fill('First, by Edith')
    await editor.page.keyboard.press('Control+Enter')
    await expectToast(editor.page, ['Step updated', '“First, by Edith” was saved.'])
    expect(
      await editor.page.getByRole('button', { name: 'Delete chain' }).getAttribute('aria-disabled'),
    ).toBe('true')
    await editor.page.getByRole('button', { name: 'Edit chain' }).click()
    const edit = editor.page.getByRole('dialog', { name: 'Edit Chain' })
    await edit.getByLabel('Name').waitFor()
    expect(await edit.getByRole('radiogroup', { name: 'Visibility' }).count()).toBe(0)
    await editor.page.keyboard.press('Escape')

    const shares = [{ username: 'vic', role: 'viewer' }]
    const revoked = await apiOf('olga').call('PUT', `/api/chains/${id}/shares`, shares)
    expect(revoked.status).toBe(200)
    await editor.page.reload()
    await editor.page.getByText('Chain not found').waitFor()
    await editor.page.goto(`${server.url}/chains`)
    await editor.page.getByText('No chains found.').waitFor()
  },
  TIMEOUT_MS,
)

test(
  'an admin deletes what an admin may not see; failures say what failed, and leave what was there',
  async () => {
    showLogsOnFailure(server)
    const secret = await createChain({ name: 'Secret work' })
    const id = await createChain({ name: 'Faulty work' })
    const admin = await openPage({ as: 'ada' })
    await admin.page.goto(`${server.url}/chains`)
    const hidden = admin.page.getByRole('article', { name: 'Secret work (No access)' })
    await hidden.waitFor()
    expect(await hidden.getByRole('link').count()).toBe(0)
    await expectCleanPage(admin.page)
    await hidden.getByRole('button', { name: 'More: Secret work' }).click()
    await admin.page.getByRole('menuitem', { name: 'Delete' }).click()
    await admin.page
      .getByText('Are you sure you want to delete this chain? This action cannot be undone.')
      .waitFor()
    await admin.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(admin.page, ['Chain deleted', 'The chain has been deleted successfully.'])
    await hidden.waitFor({ state: 'detached' })
    expect((await apiOf('olga').call('GET', `/api/chains/${secret}`)).status).toBe(404)
    await leave()

    const { page } = await openPage({ as: 'olga' })
    await page.goto(`${server.url}/chains/${id}`)
    await expectOrder(page, ['First', 'Second'])
    const refuse = (call: string) =>
      injectFault({ page, call, fault: { status: 500, json: { error: 'Out of luck' } } })
    await refuse(`POST /api/chains/${id}/reorder-steps`)
    await chooseOf(page, { step: 'First', item: 'Move down' })
    await expectToast(page, ['Failed to reorder steps', '500: Out of luck'])
    await expectOrder(page, ['First', 'Second'])
    await refuse(`DELETE /api/chains/${id}/steps/*`)
    await page.getByRole('button', { name: 'Delete step: Second' }).click()
    await page.getByText('Are you sure you want to delete this step? This action cannot be undone.').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(page, ['Failed to delete step', '500: Out of luck'])
    await refuse(`DELETE /api/chains/${id}`)
    await page.getByRole('button', { name: 'Delete chain' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(page, ['Failed to delete chain', '500: Out of luck'])
    await page.unroute(`**/api/chains/${id}`)
    await page.getByRole('button', { name: 'Delete chain' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectAddress(page, '/chains')
    await refuse('GET /api/chains')
    await page.reload()
    await page.getByText('Failed to load chains. Please try again.').waitFor()
  },
  TIMEOUT_MS,
)

function apiOf(username: string): Api {
  const api = people[username]
  if (!api) throw new Error(`Nobody is called ${username}.`)
  return api
}

/** A chain of Olga's with two steps. */
async function createChain({ name }: { name: string }): Promise<number> {
  const olga = apiOf('olga')
  const { id } = await olga.post<{ id: number }>('/api/chains', { name })
  const steps = [
    { title: 'First', outputVariableName: 'first', content: 'Sum up $<support>.' },
    { title: 'Second', outputVariableName: 'second', content: 'Shorten {{first}}.' },
  ]
  for (const [position, step] of steps.entries()) {
    await olga.post(`/api/chains/${id}/steps`, { ...step, position })
  }
  return id
}

async function openPage({ as, ...look }: BrowserOptions & { as: string }) {
  browser = await openBrowser(look)
  await browser.context.addCookies(apiOf(as).cookies())
  const page = await browser.context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (entry) => entry.type() === 'error' && complaints.push(entry.text()))
  return { page, complaints }
}

async function leave(): Promise<void> {
  await browser?.close()
  browser = undefined
}

async function fillStep(page: Page, { output, prompt }: { output: string; prompt: string }): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add Step' })
  await form.getByLabel('Output variable name').fill(output)
  await form.getByLabel('Prompt', { exact: true }).click()
  const search = page.getByPlaceholder('Search prompts')
  await search.fill(prompt.slice(0, 5).toLowerCase())
  await page.getByRole('option', { name: prompt }).click()
  await search.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
}

function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title }).first()
}

async function expectOrder(page: Page, titles: string[]): Promise<void> {
  await expect.poll(() => page.locator('[data-step-title]').allTextContents(), PATIENCE).toEqual(titles)
}

async function expectFocus(page: Page, name: string): Promise<void> {
  const read = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(read, PATIENCE).toBe(name)
}

async function chooseOf(page: Page, { step, item }: { step: string; item: string }): Promise<void> {
  await page.getByRole('button', { name: `More: ${step}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function dragStep(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  const [start, end] = [await cardOf(page, from).boundingBox(), await cardOf(page, to).boundingBox()]
  if (!start || !end) throw new Error('A card to drag is not drawn.')
  await page.mouse.move(start.x + 200, start.y + 50)
  await page.mouse.down()
  await page.mouse.move(start.x + 200, start.y + 30, { steps: 4 })
  await page.mouse.move(end.x + 200, end.y + 10, { steps: 12 })
  await page.mouse.up()
}

async function expectCleanPage(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
