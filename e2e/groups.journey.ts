import { AxeBuilder } from '@axe-core/playwright'
import type { Prompt } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { cardOf, chooseFor, expectAddress, expectToast } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 120_000
const PASSWORD = 'a bridge hangs by its own weight'

let server: RunningServer
let browser: OpenBrowser
let ada: Api
let vic: Api

beforeAll(async () => {
  server = await startServer()
  const register = async (username: string) => {
    const api = createApi(server.url)
    await api.post('/api/register', { username, email: `${username}@example.org`, password: PASSWORD })
    return api
  }
  ;[ada, vic] = [await register('ada'), await register('vic')]
  await register('edith')
  browser = await openBrowser()
}, TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

async function openAs(api: Api, path: string): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(api.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

test(
  'A group is made by keys, gets its people, is shared with where people are, and ends what it opened as it goes.',
  async () => {
    showLogsOnFailure(server)
    const { id } = await ada.post<Prompt>('/api/prompts', {
      ...{ title: 'Refund reply', content: 'Answer $<letter>.', categoryId: 1 },
    })
    const page = await openAs(ada, '/settings/groups')
    await page.getByRole('button', { name: 'everyone' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New group' }).getByLabel('Name').fill('Support')
    await page.keyboard.press('Control+Enter')
    await expectToast(page, ['Group created', 'You can now add people to “Support”.'])
    await expectAddress(page, '/settings/groups?group=2')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByPlaceholder('Username').fill('vi')
    await page.getByRole('option', { name: 'vic' }).waitFor()
    await page.keyboard.press('Enter')
    await expectToast(page, ['Group updated', 'vic is now in “Support”.'])
    await expectAccessible(page)
    await page.close()

    const owner = await openAs(ada, '/?view=list')
    await chooseFor(cardOf(owner, 'Refund reply'), 'Share')
    const dialog = owner.getByRole('dialog', { name: 'Share Prompt' })
    await dialog.getByPlaceholder('Username or group').fill('supp')
    await dialog.getByRole('option', { name: /^Support/ }).waitFor()
    await owner.keyboard.press('Enter')
    await dialog.getByText('2 people can open it.').waitFor()
    await expectAccessible(owner)
    await owner.keyboard.press('Control+Enter')
    await expectToast(owner, ['Prompt shared', '“Refund reply” is shared with 1 group.'])
    await owner.close()

    const member = await openAs(vic, '/?ownership=shared')
    await cardOf(member, 'Refund reply').waitFor()
    await member.goto(`${server.url}/settings/groups?group=2`)
    await member.getByRole('link', { name: /^Refund reply/ }).waitFor()
    expect(await member.getByRole('button', { name: 'Rename' }).count()).toBe(0)

    const leader = await openAs(ada, '/settings/groups?group=2')
    await leader.getByRole('button', { name: 'Delete', exact: true }).click()
    const asked = leader.getByRole('alertdialog', { name: 'Delete “Support”?' })
    await asked.getByRole('button', { name: 'Delete' }).click()
    await leader.getByText('The group “Support” was deleted', { exact: true }).waitFor()
    expect((await vic.call('GET', `/api/prompts/${id}`)).status).toBe(404)
  },
  TIMEOUT_MS,
)
