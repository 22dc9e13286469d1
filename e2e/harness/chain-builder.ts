import type { Locator, Page } from 'playwright-core'
import { type Hand, mouse, write } from './hands.ts'

/** Who builds and runs the chain whose page is open: a person with a mouse, or with keys alone. */
export interface Builder {
  page: Page
  hand: Hand
}

export function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title, exact: true })
}

export function stepForm(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Add Step' })
}

export async function beginStep({ page, hand }: Builder): Promise<void> {
  const first = page.getByRole('button', { name: 'Add First Step' })
  const next = page.getByRole('button', { name: /^Add Step/ })
  await first.or(next).first().waitFor()
  await hand.press((await first.count()) > 0 ? first : next)
  await stepForm(page).waitFor()
}

interface WrittenStep {
  title: string
  output: string
  content: string
}

/** The fields of each step that asks a model. */
export async function writeStep(
  { page, hand }: Builder,
  { title, output, content }: WrittenStep,
): Promise<void> {
  const form = stepForm(page)
  await hand.write(form.getByLabel('Output variable name', { exact: true }), output)
  await hand.write(form.getByLabel('Title', { exact: true }), title)
  await hand.write(form.getByRole('textbox', { name: 'Content' }), content)
}

interface CalledService {
  title: string
  output: string
  address: string
  header: readonly [name: string, value: string]
  body: string
}

/** The fields of a step that calls a service by POST. */
export async function callService(
  { page, hand }: Builder,
  { title, output, address, header: [name, value], body }: CalledService,
): Promise<void> {
  const form = stepForm(page)
  await hand.choose(form.getByRole('radio', { name: /^Tool/ }))
  await hand.write(form.getByLabel('Title', { exact: true }), title)
  await hand.write(form.getByLabel('Output variable name', { exact: true }), output)
  await hand.write(form.getByRole('textbox', { name: 'Address' }), address)
  await hand.press(form.getByRole('button', { name: 'Add header' }))
  await hand.write(form.getByLabel('Name of header 1', { exact: true }), name)
  await hand.write(form.getByRole('textbox', { name: 'Value of header 1' }), value)
  await hand.write(form.getByRole('textbox', { name: 'Body' }), body)
}

interface SentEmail {
  title: string
  output: string
  to: string
  subject: string
  text: string
}

/** The fields of a step that sends an email. */
export async function sendEmail(
  { page, hand }: Builder,
  { title, output, to, subject, text }: SentEmail,
): Promise<void> {
  const form = stepForm(page)
  await hand.choose(form.getByRole('radio', { name: /^Tool/ }))
  await hand.choose(form.getByRole('radio', { name: 'Send an email' }))
  await hand.write(form.getByLabel('Title', { exact: true }), title)
  await hand.write(form.getByLabel('Output variable name', { exact: true }), output)
  await hand.write(form.getByRole('textbox', { name: 'To', exact: true }), to)
  await hand.write(form.getByRole('textbox', { name: 'Subject' }), subject)
  await hand.write(form.getByRole('textbox', { name: 'Text', exact: true }), text)
}

export async function setSchema({ page, hand }: Builder, schema: object): Promise<void> {
  const form = stepForm(page)
  await hand.choose(form.getByRole('radio', { name: 'JSON by schema' }))
  await hand.press(form.getByRole('switch', { name: 'Edit as JSON' }))
  const field = form.getByRole('textbox', { name: 'JSON schema' })
  await write(page, hand, { field, text: JSON.stringify(schema) })
}

/** Types a part of the name, and takes what is offered. */
export async function setCondition(
  builder: Builder,
  { typed, name, value }: { typed: string; name: RegExp; value: string },
): Promise<void> {
  const { page, hand } = builder
  const form = stepForm(page)
  await hand.press(form.getByRole('button', { name: 'When it runs: always' }))
  await hand.choose(form.getByRole('radio', { name: 'Only if' }))
  await takeOffer(builder, { field: 'Name in condition 1', typed, offer: name })
  await takeOffer(builder, { field: 'Value in condition 1', typed: value, offer: value })
}

export async function setList(
  builder: Builder,
  { typed, list }: { typed: string; list: RegExp },
): Promise<void> {
  const { page, hand } = builder
  const form = stepForm(page)
  await hand.press(form.getByRole('button', { name: 'How often it runs: once' }))
  await hand.choose(form.getByRole('radio', { name: 'For each item' }))
  await takeOffer(builder, { field: 'List', typed, offer: list })
}

async function takeOffer(
  { page, hand }: Builder,
  { field, typed, offer }: { field: string; typed: string; offer: string | RegExp },
): Promise<void> {
  const input = stepForm(page).getByRole('combobox', { name: field })
  await hand.write(input, typed)
  await hand.take(input, page.getByRole('option', { name: offer }))
}

export async function askPerson({ page, hand }: Builder, username: string): Promise<void> {
  const form = stepForm(page)
  const field = form.getByPlaceholder('Username or group')
  await hand.write(field, username.slice(0, 2))
  await hand.take(field, form.getByRole('option', { name: username }))
  await form.getByRole('button', { name: `Remove ${username}` }).waitFor()
}

export async function saveStep({ page, hand }: Builder, title: string): Promise<void> {
  const form = stepForm(page)
  await confirm({ page, hand }, form.getByRole('button', { name: /^Add Step/ }))
  await form.waitFor({ state: 'detached' })
  await cardOf(page, title).waitFor()
}

/** Of a chain that takes an input, unless it is absent. */
export async function runChain({ page, hand }: Builder, input?: string): Promise<void> {
  await confirm({ page, hand }, page.getByRole('button', { name: /^Execute Chain/ }))
  if (input === undefined) return
  const dialog = page.getByRole('dialog', { name: 'Execute Chain' })
  await write(page, hand, { field: dialog.getByLabel('Input'), text: input })
  await confirm({ page, hand }, dialog.getByRole('button', { name: /^Execute Chain/ }))
  await dialog.waitFor({ state: 'detached' })
}

async function confirm({ page, hand }: Builder, button: Locator): Promise<void> {
  if (hand === mouse) return button.click()
  // A page that has just been opened listens to no key yet.
  await button.waitFor()
  await page.keyboard.press('Control+Enter')
}
