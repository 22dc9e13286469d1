import type { Chain, Prompt, RecordOwner, Variable } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from './harness/api.ts'
import { expectAccessible, type ForPeople, startForPeople } from './harness/people.ts'
import { cardOf, chooseFor, expectAddress, expectText, expectToast } from './harness/screen.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 120_000

let people: ForPeople
let ana: Api
let ben: Api

beforeAll(async () => {
  people = await startForPeople()
  const { register } = people
  await register('root')
  ;[ana, ben] = [await register('ana'), await register('ben')]
}, TIMEOUT_MS)
afterAll(() => people?.close())

const openAs: ForPeople['openAs'] = (api, path) => people.openAs(api, path)

async function offerByKeys(page: Page, kind: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Hand over ${kind}` })
  await dialog.getByPlaceholder('Username').fill('be')
  await dialog.getByRole('option', { name: 'ben' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: /^Offer to ben/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
}

const offers = (page: Page) => page.getByRole('complementary', { name: 'Offers' })

test(
  'A prompt that its owner offers is another’s once they accept it, and the former owner still edits it.',
  async () => {
    showLogsOnFailure(people.server)
    const { id } = await ana.post<Prompt>('/api/prompts', {
      ...{ title: 'Refund reply', content: 'Answer $<letter>.', categoryId: 1 },
    })
    const owner = await openAs(ana, '/')
    await chooseFor(cardOf(owner, 'Refund reply'), 'Share')
    const share = owner.getByRole('dialog', { name: 'Share Prompt' })
    await share.getByRole('button', { name: 'Hand over…' }).click()
    await offerByKeys(owner, 'prompt')
    await expectToast(owner, ['Offered to ben', '“Refund reply” stays yours until ben accepts it.'])
    await expectText(
      share.getByText(/^Offered to/),
      /^Offered to ben, waits for an answer until \w+ \d+, \d{4} · Take back$/,
    )
    await expectAccessible(owner)
    await owner.close()

    const recipient = await openAs(ben, '/variables')
    await expectText(offers(recipient), /ana wants to make you the owner of the prompt “Refund reply”\./)
    await expectAccessible(recipient)
    await offers(recipient).getByRole('button', { name: 'Accept' }).click()
    const asked = recipient.getByRole('dialog', { name: 'Accept the prompt?' })
    await asked.getByText('ana can still edit it until you stop sharing it.').waitFor()
    await expectAccessible(recipient)
    await asked.getByRole('button', { name: /^Accept/ }).click()
    await expectToast(recipient, ['The prompt is yours', 'You now own “Refund reply”.'])
    await expectAddress(recipient, `/?prompt=${id}`)
    await recipient.getByRole('dialog', { name: 'Edit Prompt' }).waitFor()
    await recipient.keyboard.press('Escape')
    expect(await offers(recipient).count()).toBe(0)
    await recipient.goto(`${people.server.url}/?ownership=mine`)
    await chooseFor(cardOf(recipient, 'Refund reply'), 'Share')
    await recipient.getByRole('list', { name: 'People and groups' }).getByText('ana').waitFor()
    await recipient.close()

    const former = await openAs(ana, '/?ownership=shared')
    await cardOf(former, 'Refund reply').getByRole('button', { name: /^More/ }).click()
    await former.getByRole('menuitem', { name: 'Edit' }).waitFor()
    for (const name of ['Share', 'Hand over…', 'Delete'])
      expect(await former.getByRole('menuitem', { name }).count()).toBe(0)
    await former.close()
    const content = 'Answer $<letter> at once.'
    const { revision } = await ana.get<Prompt>(`/api/prompts/${id}`)
    const edit = { title: 'Refund reply', content, categoryId: 1, revision }
    expect((await ana.call('PUT', `/api/prompts/${id}`, edit)).status).toBe(200)
    expect((await ana.call('DELETE', `/api/prompts/${id}`)).status).toBe(403)
  },
  TIMEOUT_MS,
)

test(
  'A chain is offered by keys from the palette, and declined in one press.',
  async () => {
    const { id } = await ana.post<Chain>('/api/chains', { name: 'Damaged parcel' })
    const owner = await openAs(ana, '/')
    await owner.getByRole('button', { name: 'Command palette' }).waitFor()
    await owner.keyboard.press('Control+k')
    await owner.getByRole('combobox').fill('hand over damaged')
    await owner.getByRole('option', { name: /^Hand over: Damaged parcel/ }).waitFor()
    await owner.keyboard.press('Enter')
    await expectAddress(owner, `/chains/${id}?hand-over=${id}`)
    await offerByKeys(owner, 'chain')
    await expectToast(owner, ['Offered to ben', '“Damaged parcel” stays yours until ben accepts it.'])
    await expectAddress(owner, `/chains/${id}`)
    await owner.close()

    const recipient = await openAs(ben, '/')
    const decline = offers(recipient).getByRole('button', { name: 'Decline' })
    await decline.focus()
    await recipient.keyboard.press('Enter')
    await expectToast(recipient, ['Offer declined', '“Damaged parcel” stays ana’s.'])
    await offers(recipient).waitFor({ state: 'detached' })
    await recipient.close()
    const { owner: still, handOver } = await ana.get<RecordOwner>(`/api/chains/${id}/owner`)
    expect({ still, handOver }).toEqual({ still: 'ana', handOver: null })
    expect((await ben.call('GET', `/api/chains/${id}`)).status).toBe(404)
  },
  TIMEOUT_MS,
)

test(
  'An offer of a variable is found in the settings, and taken back there before it is answered.',
  async () => {
    const { id } = await ana.post<Variable>('/api/variables', {
      ...{ name: 'brand_voice', type: 'text', content: 'warm' },
    })
    const owner = await openAs(ana, `/variables?variable=${id}`)
    const form = owner.getByRole('dialog', { name: 'Edit Variable' })
    await form.getByRole('button', { name: 'Hand over…' }).click()
    await offerByKeys(owner, 'variable')
    await expectToast(owner, ['Offered to ben', '“brand_voice” stays yours until ben accepts it.'])
    await owner.keyboard.press('Escape')

    const recipient = await openAs(ben, '/settings/ownership')
    await recipient.getByRole('button', { name: 'Accept brand_voice' }).waitFor()
    await expectAccessible(recipient)

    await people.signInAs(ana)
    await owner.goto(`${people.server.url}/settings/ownership`)
    await owner.getByRole('button', { name: 'Take back brand_voice' }).click()
    await expectToast(owner, ['Offer taken back', '“brand_voice” stays yours.'])
    await owner.getByText('You offer nothing to anyone.').waitFor()
    await owner.close()

    await people.signInAs(ben)
    await recipient.bringToFront()
    await recipient.getByRole('button', { name: 'Accept brand_voice' }).click()
    const asked = recipient.getByRole('dialog', { name: 'Accept the variable?' })
    await asked.getByRole('button', { name: /^Accept/ }).click()
    await asked.getByText('This offer is over. ana took it back, or it has ended.').waitFor()
    await asked.getByText('Close', { exact: true }).last().click()
    await recipient.getByText(/^Nothing waits for your answer/).waitFor()
    await recipient.close()
  },
  TIMEOUT_MS,
)

test(
  'Who did what says who offered what, and who accepted it.',
  async () => {
    const page = await openAs(ana, '/settings/activity')
    for (const sentence of [
      /offered the prompt/,
      /became the owner of the prompt/,
      /ended the offer of the variable/,
    ])
      await page.getByText(sentence).first().waitFor()
    await page.close()
  },
  TIMEOUT_MS,
)
