import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from './harness/api.ts'
import { type ForPeople, startForPeople } from './harness/people.ts'
import { cardOf, chooseFor, expectAddress, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 120_000

let people: ForPeople
let olga: Api
let vic: Api
let edith: Api

beforeAll(async () => {
  people = await startForPeople()
  const { register } = people
  ;[olga, vic, edith] = [await register('olga'), await register('vic'), await register('edith')]
  const body = { content: 'Sum up $<tickets> in plain words.', categoryId: 1 }
  await olga.post('/api/prompts', { ...body, title: 'Quiet digest' })
  for (let n = 1; n <= 30; n += 1)
    await vic.post('/api/prompts', { ...body, title: `Open note ${n}`, isPublic: true })
}, TIMEOUT_MS)
afterAll(() => people?.close())

async function openAs(api: Api, path = '/'): Promise<Page> {
  const page = await people.openAs(api, path)
  await page.getByRole('list', { name: 'Prompts' }).waitFor()
  return page
}

const whose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).click()
const footer = (page: Page) => page.getByText(/^Showing /)

test(
  'A prompt that is shared by name is found, copied and changed by viewers and editors as far as they may.',
  async () => {
    showLogsOnFailure(people.server)
    const owner = await openAs(olga, '/?view=list')
    await expectText(cardOf(owner, 'Open note 30').getByTitle('vic'), 'vic')
    await whose(owner, 'Mine')
    await expectText(footer(owner), 'Showing 1 to 1 of 1 results')
    await expectAddress(owner, '/?view=list&ownership=mine')
    await chooseFor(cardOf(owner, 'Quiet digest'), 'Share')
    const dialog = owner.getByRole('dialog', { name: 'Share Prompt' })
    for (const name of ['vic', 'edith']) {
      await dialog.getByPlaceholder('Username').fill(name.slice(0, 2))
      await dialog.getByRole('option', { name }).click()
    }
    await dialog.getByRole('combobox', { name: 'Role of edith' }).click()
    await owner.getByRole('option', { name: 'Editor' }).click()
    await dialog.getByRole('button', { name: /Save Changes/ }).click()
    await expectToast(owner, ['Prompt shared', '“Quiet digest” is shared with 2 people by name.'])
    await cardOf(owner, 'Quiet digest').getByTitle('Shared with people or groups').waitFor()
    await owner.close()

    const editor = await openAs(edith)
    await whose(editor, 'Shared with me')
    await expectText(footer(editor), 'Showing 1 to 1 of 1 results')
    await chooseFor(cardOf(editor, 'Quiet digest'), 'Edit')
    const form = editor.getByRole('dialog', { name: 'Edit Prompt' })
    await form.getByLabel('Title').fill('Quiet digest, by Edith')
    expect(await form.getByRole('switch', { name: 'Make Prompt Public' }).count()).toBe(0)
    await editor.keyboard.press('Control+Enter')
    await expectToast(editor, ['Prompt updated', 'Your prompt has been updated successfully'])
    await editor.close()

    const viewer = await openAs(vic, '/?ownership=shared')
    const shared = cardOf(viewer, 'Quiet digest, by Edith')
    await shared.getByRole('button', { name: /^More/ }).click()
    expect(await viewer.getByRole('menuitem').allTextContents()).toEqual([
      'Copy',
      'Tests',
      'Duplicate',
      'Connect',
      'Select',
    ])
    await viewer.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expectToast(viewer, ['Prompt duplicated', '“Quiet digest, by Edith (copy)” is yours and private.'])
    await whose(viewer, 'Mine')
    await cardOf(viewer, 'Quiet digest, by Edith (copy)').waitFor()

    const [{ id }] = (await olga.get<{ id: number }[]>('/api/prompts?ownership=mine')) as [{ id: number }]
    expect((await olga.call('PUT', `/api/prompts/${id}/shares`, [])).status).toBe(200)
    await viewer.goto(`${people.server.url}/?ownership=shared`)
    await viewer.getByText('Nothing is shared with you', { exact: true }).waitFor()
    await expectText(footer(viewer), 'Showing 0 to 0 of 0 results')
    await viewer.goto(`${people.server.url}/?prompt=${id}`)
    await viewer.getByText('Prompt Not Found').first().waitFor()
    await viewer.close()
  },
  TIMEOUT_MS,
)

test(
  'A card is a link: Ctrl-click opens a tab, and Back restores the scroll position.',
  async () => {
    showLogsOnFailure(people.server)
    // The page's code comes after the frame has begun to listen for steps in the history.
    await people.context.route(/library-[^/]*\.js$/, async (route) => {
      await setTimeout(500)
      await route.continue()
    })
    const page = await openAs(edith)
    const opened = people.context.waitForEvent('page')
    await cardOf(page, 'Open note 30')
      .getByRole('link')
      .click({ modifiers: ['Control'] })
    const tab = await opened
    await tab.getByRole('dialog', { name: 'Open note 30' }).waitFor()
    await tab.close()
    expect(await page.getByRole('dialog').count()).toBe(0)

    const scroller = page.getByRole('list', { name: 'Prompts' }).locator('xpath=..')
    const scrolled = () => scroller.evaluate((element) => element.scrollTop)
    await scroller.evaluate((element) => element.scrollTo(0, 900))
    await page.getByRole('link', { name: /^Variables/ }).click()
    await page.getByRole('heading', { name: 'Variables', level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(scrolled, PATIENCE).toBe(900)
    await page.getByRole('link', { name: /^Variables/ }).click()
    await page.getByRole('heading', { name: 'Variables', level: 1 }).waitFor()
    await page.getByRole('link', { name: /^Prompts/ }).click()
    await cardOf(page, 'Open note 30').waitFor()
    expect(await scrolled()).toBe(0)
    await page.close()
  },
  TIMEOUT_MS,
)

test(
  'Where a newcomer sees only other people’s public prompts, a line above them offers the examples.',
  async () => {
    showLogsOnFailure(people.server)
    const page = await openAs(edith)
    await page.getByRole('main').getByRole('button', { name: 'Start with examples' }).click()
    await cardOf(page, 'Product launch email').waitFor()
    await page.getByText('Examples: 8 prompts, 2 chains, 4 variables, 1 suite').waitFor()
    await page.close()
    const owner = await openAs(olga)
    await owner.getByRole('region', { name: /^First steps/ }).waitFor()
    expect(await owner.getByRole('button', { name: 'Start with examples' }).count()).toBe(0)
    await owner.close()
  },
  TIMEOUT_MS,
)
