import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from './harness/api.ts'
import { expectAccessible, type ForPeople, startForPeople } from './harness/people.ts'
import { cardOf, chooseFor, expectAddress, expectToast } from './harness/screen.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 120_000

let people: ForPeople
let ada: Api
let vic: Api

beforeAll(async () => {
  people = await startForPeople()
  const { register } = people
  ;[ada, vic] = [await register('ada'), await register('vic')]
  await register('edith')
}, TIMEOUT_MS)
afterAll(() => people?.close())

const openAs: ForPeople['openAs'] = (api, path) => people.openAs(api, path)

test(
  'A group is made by keys, gets its people, is shared with where people are, and ends what it opened as it goes.',
  async () => {
    showLogsOnFailure(people.server)
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
    await member.goto(`${people.server.url}/settings/groups?group=2`)
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
