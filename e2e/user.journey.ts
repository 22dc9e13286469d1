import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { allowClipboard, lastCopied } from './harness/clipboard.ts'
import { cardOf, chooseFor, expectAddress, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { seed } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const PROMPT = 'Welcome letter'

let server: RunningServer
let api: Api
let browser: OpenBrowser
let page: Page
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  api = createApi(server.url)
  await seed(api)
  for (const name of ['draft', 'legal']) await api.post('/api/tags', { name })
  browser = await openBrowser()
  await allowClipboard(browser.context)
  await browser.context.addCookies(api.cookies())
})
afterEach(() => page.close())
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

test('`/` is the prompt library: a grid of cards or a list, each with title, category, content of up to 3 lines, tags, switch, Public or Private, and ‘Updated … ago’; ‘Execute with AI’ shows for an active one that may be run. The list says ‘Showing 1 to N of N results’, and keeps Previous and Next disabled.', async () => {
  await open('/')
  await expectText(resultCount(), 'Showing 1 to 7 of 7 results')
  for (const name of ['Previous', 'Next']) {
    expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true)
  }
  await expectCard()
  const content = cardOf(page, PROMPT).getByText('Write a', { exact: false })
  const lines = () => content.evaluate((element) => getComputedStyle(element).webkitLineClamp)
  expect(await lines()).toBe('3')
  const inactive = cardOf(page, 'Compare two offers')
  await inactive.getByText('Private', { exact: true }).waitFor()
  expect(await inactive.getByRole('button', { name: 'Execute with AI' }).count()).toBe(0)

  await page.getByRole('radio', { name: 'List' }).click()
  await expectAddress(page, '/?view=list')
  await expectCard()
  await expectText(resultCount(), 'Showing 1 to 7 of 7 results')
})

test('Search, a category and tags filter the list, together and each for itself.', async () => {
  await open('/')
  await page.getByRole('searchbox', { name: 'Search prompts' }).fill('interview')
  await expectText(resultCount(), 'Showing 1 to 1 of 1 results')
  await page.getByRole('searchbox', { name: 'Search prompts' }).fill('')
  await expectText(resultCount(), 'Showing 1 to 7 of 7 results')
  await page.getByRole('button', { name: 'Category: All categories' }).click()
  await page.getByRole('menuitemradio', { name: /^Writing/ }).click()
  await expectText(resultCount(), 'Showing 1 to 2 of 2 results')
  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  await page.getByRole('dialog', { name: 'Tags' }).getByRole('button', { name: 'support' }).click()
  await expectText(resultCount(), 'Showing 1 to 1 of 1 results')
})

test('The sidebar, 256 px wide, has Prompts, Variables and Chains. ‘Prompt Categories’ can be folded; tags are called ‘Prompt Tags’, ‘Variable Tags’ or ‘Chain Tags’ by view, and a click on one switches it on or off.', async () => {
  await open('/')
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  expect((await sidebar.boundingBox())?.width).toBe(256)
  await sidebar.getByText('Catenary', { exact: true }).waitFor()
  const current = sidebar.getByRole('navigation').locator('[aria-current=page]')
  await expectText(current, /^Prompts/)
  const categories = sidebar.getByRole('region', { name: 'Prompt Categories' })
  const writing = categories.getByRole('button', { name: /^Writing/ })
  await expectText(writing, /^Writing 2$/)
  await writing.click()
  await expectText(resultCount(), 'Showing 1 to 2 of 2 results')
  await writing.click()
  await expectAddress(page, '/')
  await categories.getByRole('button', { name: 'Prompt Categories' }).click()
  await writing.waitFor({ state: 'detached' })

  const tags = sidebar.getByRole('region', { name: 'Prompt Tags' })
  const chips = tags.locator('[aria-pressed]')
  await expect.poll(() => chips.count(), PATIENCE).toBe(7)
  const colours = await chips.evaluateAll((all) => all.map((chip) => getComputedStyle(chip).backgroundColor))
  expect(new Set(colours).size).toBe(7)
  await tags.getByRole('button', { name: 'review' }).click()
  await tags.getByRole('button', { name: 'review', pressed: true }).waitFor()
  await expectText(resultCount(), 'Showing 1 to 2 of 2 results')
  await tags.getByRole('button', { name: 'review' }).click()
  await expectAddress(page, '/')

  for (const [link, title] of [
    ['Variables', 'Variable Tags'],
    ['Chains', 'Chain Tags'],
  ] as const) {
    await sidebar.getByRole('link', { name: link }).click()
    await sidebar.getByRole('region', { name: title }).waitFor()
    await expectText(current, new RegExp(`^${link}`))
    expect(await categories.count()).toBe(0)
  }
})

test('‘Add Tag’ opens an input in place: Enter submits and closes it, ‘Tag added’, ‘Tag has been added successfully’; Escape closes it.', async () => {
  await open('/')
  const line = page.getByLabel('New tag')
  await page.getByRole('button', { name: 'Add Tag' }).click()
  await line.fill('half a na')
  await line.press('Escape')
  await line.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add Tag' }).click()
  expect(await line.inputValue()).toBe('')
  await line.fill('  spring  ')
  await line.press('Enter')
  await expectToast(page, ['Tag added', 'Tag has been added successfully'])
  await line.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Prompt Tags' }).getByRole('button', { name: 'spring' }).waitFor()
})

test('A new category shows in the sidebar and in its toast: ‘Category created’, ‘Your category has been created successfully’.', async () => {
  await open('/')
  await page.getByRole('button', { name: 'Add Category' }).click()
  await page.getByLabel('New category').fill(' Letters ')
  await page.keyboard.press('Enter')
  await expectToast(page, ['Category created', 'Your category has been created successfully: Letters'])
  const categories = page.getByRole('region', { name: 'Prompt Categories' })
  await categories.getByRole('button', { name: /^Letters 0$/ }).waitFor()
})

test('On a phone a drawer with Prompts, Variables, Chains, categories with counts, tags and the username takes the place of the sidebar. A category that is picked on `/variables` leads to `/`.', async () => {
  await open('/variables', { width: 390, height: 844 })
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  expect(await sidebar.count()).toBe(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  for (const name of ['Prompts', 'Variables', 'Chains']) {
    await sidebar.getByRole('link', { name }).waitFor()
  }
  await sidebar.getByRole('button', { name: /^Coding 2$/ }).waitFor()
  await sidebar.getByRole('region', { name: 'Variable Tags' }).waitFor()
  const username = await sidebar.getByText('ada', { exact: true }).boundingBox()
  expect(username?.height).toBeGreaterThan(10)
  await sidebar.getByRole('button', { name: 'Logout' }).waitFor()
  await sidebar.getByRole('button', { name: /^Coding/ }).click()
  await page.waitForURL(/\/\?category=\d+$/)
})

test('A card copies its prompt, ‘Copied to clipboard’, switches it, ‘Prompt has been activated’ or ‘deactivated’, and after a question deletes it.', async () => {
  await open('/')
  const card = cardOf(page, PROMPT)
  await card.hover()
  await card.getByRole('button', { name: 'Copy' }).click()
  await card.getByRole('button', { name: 'Copied!' }).waitFor()
  await expectToast(page, ['Copied to clipboard', 'Prompt content has been copied to clipboard'])
  const copied = await lastCopied(page)
  expect(copied).toBe('Write a $<tone> welcome for $<customer>.')

  const active = card.getByRole('switch')
  await active.click()
  await expectToast(page, ['Status updated', 'Prompt has been deactivated'])
  expect(await card.getByRole('button', { name: 'Execute with AI' }).count()).toBe(0)
  await active.click()
  await expectToast(page, ['Status updated', 'Prompt has been activated'])
  await card.getByRole('button', { name: 'Execute with AI' }).waitFor()

  const doomed = cardOf(page, 'Meeting notes to tasks')
  const remove = async (answer: string) => {
    await chooseFor(doomed, 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: answer }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  }
  await remove('Cancel')
  expect(await doomed.count()).toBe(1)
  await remove('Delete')
  await doomed.waitFor({ state: 'detached' })
})

test('The dialog, ‘Create New Prompt’ or ‘Edit Prompt’, has title, category, content, tags, Active and ‘Make Prompt Public’; a new prompt starts active, private and blank but for its category. A save reads ‘Saving...’, closes the dialog and says ‘Prompt created’ or ‘Prompt updated’. ‘Manage variables’ leads to `/variables`.', async () => {
  await open('/')
  await page.getByRole('button', { name: 'New prompt' }).click()
  const create = page.getByRole('dialog', { name: 'Create New Prompt' })
  const width = (await create.boundingBox())?.width ?? 0
  expect(width).toBeGreaterThan(450)
  expect(width).toBeLessThan(600)
  expect(await create.getByRole('switch', { name: 'Active' }).getAttribute('aria-checked')).toBe('true')
  expect(await create.getByRole('switch', { name: 'Make Prompt Public' }).getAttribute('aria-checked')).toBe(
    'false',
  )
  await create.getByRole('button', { name: 'Create Prompt' }).click()
  await expectText(create.getByRole('combobox', { name: 'Category' }), 'General')
  for (const text of ['Title is required', 'Content is required']) {
    await create.getByText(text, { exact: true }).waitFor()
  }
  await create.getByRole('button', { name: 'Add Category' }).click()
  await page.getByLabel('New category').fill('wRITING')
  await page.keyboard.press('Enter')
  await expectToast(page, ['Category exists', '“Writing” already exists and is now selected.'])
  await expectText(create.getByRole('combobox', { name: 'Category' }), 'Writing')
  await create.getByLabel('Title').fill('A new one')
  await create.getByRole('textbox', { name: 'Content' }).fill('Text')
  await create.getByLabel('Tags').fill('email')
  const release = await holdBack('**/api/prompts')
  await create.getByRole('button', { name: 'Create Prompt' }).click()
  await create.getByRole('button', { name: 'Saving...' }).waitFor()
  release()
  await expectToast(page, ['Prompt created', 'Your prompt has been created successfully'])
  await create.waitFor({ state: 'detached' })
  await cardOf(page, 'A new one').getByText('email', { exact: true }).waitFor()

  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await chooseFor(cardOf(page, 'A new one'), 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit Prompt' })
  expect(await edit.getByLabel('Title').inputValue()).toBe('A new one')
  await edit.getByRole('button', { name: 'Remove email' }).waitFor()
  await edit.getByRole('switch', { name: 'Make Prompt Public' }).click()
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, ['Prompt updated', 'Your prompt has been updated successfully'])
  expect(writes.map((write) => write.replace(/\d+/, 'id'))).toEqual([
    'PUT /api/prompts/id',
    'PATCH /api/prompts/id/share',
  ])
  await cardOf(page, 'A new one').getByText('Public', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'New prompt' }).click()
  await create.getByRole('button', { name: 'Manage variables' }).click()
  await expectAddress(page, '/variables')
  await create.waitFor({ state: 'detached' })
})

test('The execute dialog starts afresh each time. Its model is claude, the default, openai (shown as GPT-4o) or gemini; a note recommends claude. ‘Variable {name} not defined in system’ names what is missing.', async () => {
  await open('/')
  const dialog = page.getByRole('dialog', { name: 'Execute Prompt' })
  const openDialog = () => cardOf(page, PROMPT).getByRole('button', { name: 'Execute with AI' }).click()
  await openDialog()
  await dialog.getByText('Edits here aren’t saved').waitFor()
  const missing = dialog.getByLabel('customer', { exact: true })
  expect(await missing.getAttribute('placeholder')).toBe('Variable customer not defined in system')
  await expect
    .poll(() => dialog.getByLabel('tone', { exact: true }).inputValue(), PATIENCE)
    .toBe('warm, plain and short')
  await dialog.getByText('text', { exact: true }).waitFor()
  await missing.fill('Grace')
  await dialog.getByRole('button', { name: 'Model: Claude' }).click()
  await page.getByRole('menu').waitFor()
  expect(await page.getByRole('menuitemradio').allTextContents()).toEqual(['Claude', 'GPT-4o', 'Gemini'])
  await page.getByRole('menuitemradio', { name: 'GPT-4o' }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Model: GPT-4o' }).waitFor()
  await dialog.getByText('OpenAI access may be limited by quota; Claude is recommended.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await openDialog()
  expect(await missing.inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Model: Claude' }).waitFor()
  await page.goto(`${server.url}/execute/1?model=gemini`)
  await page.getByRole('button', { name: 'Model: Gemini' }).waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
})

test.each(['palette', 'search'])(
  'From the library to a copied answer it takes at most 6 presses of keys besides text. (%s)',
  async (way) => {
    await open('/')
    let presses = 0
    const press = async (keys: string) => {
      presses += 1
      await page.keyboard.press(keys)
    }
    await page.getByRole('list', { name: 'Prompts' }).waitFor()
    if (way === 'palette') {
      await press('Control+k')
      await page.keyboard.type('welcome')
      const name = `Execute: ${PROMPT}`
      await page.getByRole('option', { name, exact: true, selected: true }).waitFor()
      await press('Enter')
    } else {
      await press('/')
      await page.keyboard.type('welcome')
      await press('Shift+Enter')
    }
    const value = page.getByLabel('customer', { exact: true })
    const hasCaret = () => value.evaluate((field) => field === document.activeElement)
    await expect.poll(hasCaret, PATIENCE).toBe(true)
    await page.keyboard.type('Grace')
    await press('Control+Enter')
    await page.getByText('Done', { exact: true }).waitFor()
    await press('Control+Shift+Enter')
    await expect.poll(() => lastCopied(page), PATIENCE).toContain('welcome for Grace.')
    expect(presses).toBeLessThanOrEqual(6)
  },
)

async function open(path: string, viewport = { width: 1280, height: 900 }): Promise<void> {
  page = await browser.context.newPage()
  await page.setViewportSize(viewport)
  await page.goto(server.url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

function resultCount() {
  return page.getByText(/^Showing /)
}

/** The first prompt shows everything that a card or row can show. */
async function expectCard(): Promise<void> {
  const card = cardOf(page, PROMPT)
  for (const text of ['Writing', 'Public', 'email', 'onboarding', 'Execute with AI']) {
    await card.getByText(text, { exact: true }).waitFor()
  }
  await expectText(card, /Write a \$<tone> welcome for \$<customer>\./)
  await expectText(card, /Updated (just now|\d+ minutes? ago)/)
  await card.getByRole('switch', { name: `Active: ${PROMPT}` }).waitFor()
  await card.getByRole('button', { name: 'Copy' }).waitFor()
  await card.getByRole('button', { name: /^More/ }).click()
  const items = page.getByRole('menuitem')
  expect((await items.allTextContents()).join()).toBe(
    'Copy,Edit,Tests,Duplicate,Share,Hand over…,Skill,Connect,Select,Delete',
  )
  await page.keyboard.press('Escape')
  await items.first().waitFor({ state: 'detached' })
}

/** Holds such calls back until released. */
async function holdBack(path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
