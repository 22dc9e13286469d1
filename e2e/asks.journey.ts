import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ask } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type MailServer, startMailServer, toSmtpUrl } from '../apps/server/src/testing/mail-server.ts'
import { TEST_CERTIFICATE } from '../apps/server/src/testing/test-certificate.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import {
  askPerson,
  type Builder,
  beginStep,
  cardOf,
  runChain,
  saveStep,
  stepForm,
  writeStep,
} from './harness/chain-builder.ts'
import { keys, mouse, write } from './harness/hands.ts'
import { expectAccessible } from './harness/people.ts'
import { expectAddress, expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'
const PHONE = { width: 390, height: 844 }
const ANSWER = 'Your people can sign in again, and **€49.90** come back by Friday.'
const QUESTION = 'May this answer be sent?'

let openai: FakeProvider
let mail: MailServer
let folder: string
let server: RunningServer
let olga: Api
let ana: Api
let browser: OpenBrowser
/** Ana's, where she is not signed in. */
let phone: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault(({ body }) => ({
    text: JSON.stringify(body).includes('Send this') ? 'Sent.' : ANSWER,
  }))
  mail = await startMailServer()
  folder = await mkdtemp(join(tmpdir(), 'catenary-mail-'))
  const certificate = join(folder, 'certificate.pem')
  await writeFile(certificate, TEST_CERTIFICATE.cert)
  server = await startServer({
    env: {
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: openai.url,
      SMTP_URL: toSmtpUrl(mail),
      NODE_EXTRA_CA_CERTS: certificate,
      MAIL_FROM: 'Catenary <catenary@example.org>',
      LOG_LEVEL: 'warn',
    },
  })
  ;[olga, ana] = [await register('olga'), await register('ana')]
  await confirmAddress('ana@example.org')
  browser = await openBrowser()
  phone = await openBrowser({ viewport: PHONE })
}, TIMEOUT_MS)
afterEach(async () => {
  for (const { context } of [browser, phone]) for (const page of context.pages()) await page.close()
  mail.mails.length = 0
})
afterAll(async () => {
  await browser?.close()
  await phone?.close()
  await server?.dispose()
  await mail?.close()
  await rm(folder, { recursive: true, force: true })
  await openai?.close()
})

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'A chain that asks before it sends is built and run, and answered on a phone from the link in its mail, with the mouse and with keys alone. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const chain = await newChain()
    const page = await open(olga, `/chains/${chain}`)
    const builder = { page, hand }
    await beginStep(builder)
    await writeStep(builder, {
      title: 'Write the answer',
      output: 'answer',
      content: 'Answer this mail.',
    })
    await saveStep(builder, 'Write the answer')

    await beginStep(builder)
    await buildAsk(builder)
    await beginStep(builder)
    await writeStep(builder, { title: 'Send it', output: 'sent', content: 'Send this: {{approved.text}}' })
    await saveStep(builder, 'Send it')
    await cardOf(page, 'Approve the answer').getByText('asks ana').waitFor()
    await expectAccessible(page)

    await runChain(builder)
    const approval = cardOf(page, 'Approve the answer')
    await approval.getByText(/^waiting for ana/).waitFor()
    await expectText(
      page.getByText(/^Waiting for ana since/),
      /^Waiting for ana since \w+ \d+, \d{4} \d+:\d\d [AP]M, until \w+ \d+, \d{4} \d+:\d\d [AP]M$/,
    )
    await expectAccessible(page)
    expect(await approval.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

    const asked = await openFromMail()
    await asked.getByRole('heading', { name: QUESTION }).waitFor()
    await asked.getByText('€49.90').waitFor()
    await expectAccessible(asked)
    await hand.press(asked.getByRole('button', { name: 'Edit the text' }))
    await write(asked, hand, {
      field: asked.getByLabel('Text', { exact: true }),
      text: 'You can sign in again.',
    })
    await hand.press(asked.getByRole('button', { name: 'Add a reason' }))
    await hand.write(asked.getByLabel('Reason', { exact: true }), 'Shorter is better.')
    await hand.press(asked.getByRole('button', { name: 'Approve', exact: true }))
    await expectToast(asked, ['Answered: Approve', 'The run goes on.'])
    await asked.getByText(/^Approve: you, /).waitFor()
    await asked.getByText('Shorter is better.').waitFor()
    await expectAccessible(asked)

    await page.getByRole('figure', { name: 'Last Execution Result' }).getByText('Sent.').waitFor()
    await expect
      .poll(() => openai.journal.map(({ body }) => JSON.stringify(body)).at(-1), PATIENCE)
      .toContain('Send this: You can sign in again.')
  },
  TIMEOUT_MS,
)

test(
  'What waits for one is counted in the sidebar and answered in its list; whoever answers second is shown the first answer.',
  async () => {
    showLogsOnFailure(server)
    const chain = await newChain()
    await addAsk(chain)
    for (const _ of [1, 2]) await olga.post(`/api/chains/${chain}/execute`, {})
    const page = await open(ana, '/asks')
    await expectText(page.getByRole('link', { name: /^Waiting for you/ }), /2$/)
    const cards = page.getByRole('article', { name: QUESTION })
    await expect.poll(() => cards.count(), PATIENCE).toBe(2)
    await expectAccessible(page)
    await cards.first().getByRole('button', { name: 'Reject', exact: true }).click()
    await expectToast(page, ['Answered: Reject', 'The run ends as failed.'])
    await expect.poll(() => cards.count(), PATIENCE).toBe(1)

    const [ask] = await ana.get<Ask[]>('/api/asks?status=open')
    await page.goto(`${server.url}/asks/${ask?.id}`)
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    await ana.post(`/api/asks/${ask?.id}/answer`, { decision: 'reject', reason: 'Not like this.' })
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expectToast(page, ['It is already answered', 'ana answered first: Reject.'])
    await page.getByText('Not like this.').waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Back to Waiting for you' }).click()
    await page.getByText('Nothing waits for you').waitFor()
    await page.getByRole('radio', { name: 'All' }).click()
    await page
      .getByText(/^Reject: you/)
      .first()
      .waitFor()
    await expectAccessible(page)
  },
  TIMEOUT_MS,
)

async function register(username: string): Promise<Api> {
  const api = createApi(server.url)
  await api.post('/api/register', { username, email: `${username}@example.org`, password: PASSWORD })
  return api
}

async function mailTo(address: string, link: RegExp): Promise<string> {
  const found = () =>
    mail.mails.flatMap(({ to, text }) => (to.includes(address) ? (link.exec(text)?.[0] ?? []) : [])).at(-1)
  return vi.waitUntil(found, PATIENCE)
}

async function confirmAddress(address: string): Promise<void> {
  const path = await mailTo(address, /\/api\/mail\/confirm\/\S+/)
  const reply = await fetch(server.url + path, { method: 'POST', headers: { origin: server.url } })
  expect(reply.status).toBe(200)
}

/** A chain of olga's that ana sees. */
async function newChain(): Promise<number> {
  const { id } = await olga.post<{ id: number }>('/api/chains', {
    name: 'Mail to answer',
    sharedLevel: 'shared',
  })
  await olga.call('PUT', `/api/chains/${id}/shares`, [{ username: 'ana', role: 'viewer' }])
  return id
}

async function addAsk(chain: number): Promise<void> {
  await olga.post(`/api/chains/${chain}/steps`, {
    kind: 'ask',
    title: 'Approve the answer',
    outputVariableName: 'approved',
    ask: {
      question: QUESTION,
      text: ANSWER,
      editable: false,
      people: ['ana'],
      groups: [],
      notTheRunner: false,
      choices: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject', ends: 'failed' },
      ],
      deadlineMinutes: 60,
      onDeadline: 'reject',
    },
  })
}

async function open(api: Api, path: string): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(api.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}

/** Follows the mail's link as somebody who is not signed in on their phone. */
async function openFromMail(): Promise<Page> {
  const path = await mailTo('ana@example.org', /\/asks\/\d+/)
  expect(mail.mails.some(({ text }) => text.includes('49.90'))).toBe(false)
  await phone.context.clearCookies()
  const page = await phone.context.newPage()
  await page.goto(server.url + path)
  await expectAddress(page, '/auth')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Username').fill('ana')
  await form.getByLabel('Password').fill(PASSWORD)
  await form.getByRole('button', { name: 'Log in', exact: true }).click()
  await expectAddress(page, path)
  return page
}

async function buildAsk(builder: Builder): Promise<void> {
  const { page, hand } = builder
  const form = stepForm(page)
  await hand.choose(form.getByRole('radio', { name: /^Ask/ }))
  await hand.write(form.getByLabel('Title', { exact: true }), 'Approve the answer')
  await hand.write(form.getByLabel('Output variable name', { exact: true }), 'approved')
  await hand.write(form.getByLabel('Question', { exact: true }), QUESTION)
  await hand.write(form.getByRole('textbox', { name: 'Text to decide on' }), '{{answer}}')
  await hand.press(form.getByRole('switch', { name: 'Whoever answers may edit this text' }))
  await askPerson(builder, 'ana')
  await expectAccessible(page)
  await saveStep(builder, 'Approve the answer')
}
