import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type MailServer, startMailServer, toSmtpUrl } from '../apps/server/src/testing/mail-server.ts'
import { TEST_CERTIFICATE } from '../apps/server/src/testing/test-certificate.ts'
import { type Api, createApi } from './harness/api.ts'
import { type OpenBrowser, openBrowser } from './harness/browser.ts'
import { expectText, expectToast, PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const PASSWORD = 'a bridge hangs by its own weight'
const ANSWER = '**Three groups** of tickets came out of it.'
/** A Monday, at eight. */
const START = '2031-03-03T08:00'
const RECIPIENTS = ['team@example.org', 'ops@example.org']

let claude: FakeProvider
let mail: MailServer
let folder: string
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  claude = await startFakeProvider({ vendor: 'anthropic' })
  claude.replyByDefault({ text: ANSWER })
  mail = await startMailServer()
  folder = await mkdtemp(join(tmpdir(), 'catenary-mail-'))
  const certificate = join(folder, 'certificate.pem')
  await writeFile(certificate, TEST_CERTIFICATE.cert)
  const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: claude.url, SMTP_URL: toSmtpUrl(mail) }
  server = await startServer({
    env: {
      ...env,
      NODE_EXTRA_CA_CERTS: certificate,
      MAIL_FROM: 'Catenary <catenary@example.org>',
      LOG_LEVEL: 'warn',
    },
  })
  olga = createApi(server.url)
  // The first account is an admin, whose schedules may mail anyone.
  await olga.post('/api/register', { username: 'olga', email: 'olga@example.org', password: PASSWORD })
  await olga.call('PATCH', '/api/account', { timeZone: 'Europe/Berlin' })
  browser = await openBrowser()
}, TIMEOUT_MS)
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
  mail.mails.length = 0
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await mail?.close()
  await rm(folder, { recursive: true, force: true })
  await claude?.close()
})

test.each([
  ['at a desk', { width: 1280, height: 800 }],
  ['on a phone', { width: 390, height: 844 }],
])(
  'The chain’s page has Schedule Run and Scheduled Runs; the dialog is ‘Schedule Chain Run’. (%s)',
  async (where, viewport) => {
    showLogsOnFailure(server)
    const name = `Digest ${where}`
    const chain = await buildDigest(name)
    const page = await open({ path: `/chains/${chain}`, viewport })
    await page.getByRole('button', { name: 'Schedule Run' }).click()
    const form = page.getByRole('dialog', { name: 'Schedule Chain Run' })
    await form.getByLabel('Schedule time').fill(START)
    await form.getByRole('switch', { name: 'Recurring' }).click()
    await form.getByRole('radio', { name: 'Weekly' }).click()
    for (const day of ['Monday', 'Thursday']) await form.getByRole('button', { name: day }).click()
    await form.getByLabel('Email recipients').fill(RECIPIENTS.join(', '))
    await expectText(
      form.getByRole('status').filter({ hasText: 'Weekly' }),
      'Weekly on Monday, Thursday at 8:00 AM',
    )
    await expect
      .poll(() => form.getByRole('region', { name: 'Next runs' }).locator('time').allTextContents(), PATIENCE)
      .toEqual(
        [
          'Mon, Mar 3, 2031',
          'Thu, Mar 6, 2031',
          'Mon, Mar 10, 2031',
          'Thu, Mar 13, 2031',
          'Mon, Mar 17, 2031',
        ].map((date) => `${date} · 8:00 AM`),
      )
    await expectClean(page)
    await page.keyboard.press('Control+Enter')
    await expectToast(page, ['Run scheduled', 'It runs next Mar 3, 2031 8:00 AM.'])

    await page.getByRole('link', { name: 'Scheduled Runs' }).click()
    await page.getByRole('heading', { name: `${name} - Scheduled Runs` }).waitFor()
    const item = page.locator('[data-schedule-id]')
    await item.getByText('Weekly on Monday, Thursday').waitFor()
    await item.getByText('pending', { exact: true }).waitFor()
    await item.getByText('Active', { exact: true }).waitFor()
    await item.getByText(RECIPIENTS.join(', ')).waitFor()

    await item.getByRole('button', { name: `Edit: ${name}` }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Scheduled Run' })
    await edit.getByRole('radio', { name: 'Monthly' }).click()
    await edit.getByLabel('Day of the month').fill('31')
    await edit.getByLabel('Name', { exact: true }).fill('Month’s end')
    await edit.getByRole('button', { name: /^Save Changes/ }).click()
    await expectToast(page, ['Schedule updated', 'It runs next Mar 31, 2031 8:00 AM.'])
    await item.getByText('Monthly on day 31').waitFor()

    await item.getByRole('button', { name: 'Run Now: Month’s end' }).click()
    await item.getByText('completed', { exact: true }).waitFor()
    await item.getByText('Email: Sent').waitFor()
    await expect
      .poll(() => mail.mails.flatMap(({ to }) => to).sort(), PATIENCE)
      .toEqual([...RECIPIENTS].sort())
    for (const { text, html } of mail.mails) {
      expect(text).toContain('Three groups')
      expect(html).toContain('<strong>Three groups</strong>')
    }
    await item.getByText(/by Run Now · completed · mailed/).waitFor()
    await expectClean(page)
    await item.getByRole('link', { name: /^Execution #/ }).click()
    await page
      .locator('[data-execution-id]')
      .getByText(/^Started by schedule/)
      .waitFor()
    await page.getByRole('article', { name: 'Digest' }).getByText(/^done/).waitFor()
    await page.goBack()

    await item.getByRole('button', { name: 'Deactivate: Month’s end' }).click()
    await item.getByText('Inactive', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await item.getByText('Active', { exact: true }).waitFor()
    await item.getByRole('button', { name: 'Deactivate: Month’s end' }).click()
    await item.getByText('Inactive', { exact: true }).waitFor()
    await item.getByRole('button', { name: 'Delete: Month’s end' }).click()
    const question = page.getByRole('alertdialog', { name: 'Are you sure?' })
    await question
      .getByText('This will permanently delete this scheduled run. This action cannot be undone.')
      .waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, ['Scheduled run deleted', '“Month’s end” no longer runs.'])
    await page.getByText('No scheduled runs found').waitFor()
    await page.getByRole('link', { name: 'Schedule a Run' }).click()
    await form.waitFor()
  },
  TIMEOUT_MS,
)

test(
  'The palette reaches the form and the list of schedules.',
  async () => {
    showLogsOnFailure(server)
    const chain = await buildDigest('Tide table')
    await olga.post(`/api/chains/${chain}/schedule`, { scheduledTime: START, timeZone: 'UTC' })
    const page = await open({ path: '/chains', viewport: { width: 1280, height: 800 } })
    const card = page.getByRole('article', { name: 'Tide table' })
    await card.getByRole('link', { name: /^Scheduled, next Mar 3, 2031/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('scheduled tide')
    await page.getByRole('option', { name: 'Scheduled Runs: Tide table' }).click()
    await page.getByRole('heading', { name: 'Tide table - Scheduled Runs' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('settings schedules')
    await page.getByRole('option', { name: /^Schedules/ }).click()
    await page.getByRole('button', { name: 'Send test email' }).click()
    await page.getByText(/^The mail server accepted the email to olga@example.org in \d+ ms$/).waitFor()
    expect(mail.mails.map(({ to }) => to)).toEqual([['olga@example.org']])
    await page.getByRole('switch', { name: 'Pause all schedules' }).click()
    await expectToast(page, ['Schedules paused', 'Runs due in the meantime are recorded as skipped.'])
    await page.getByText(/^All schedules are paused/).waitFor()
    await expectClean(page)
    await page.goto(`${server.url}/test-dashboard.html`)
    await page.getByText('All schedules are paused in the settings.').waitFor()
    await olga.post('/api/admin/schedules', { paused: false })
  },
  TIMEOUT_MS,
)

test(
  'a newcomer’s address gets results once its link was followed and pressed, and Settings say so',
  async () => {
    showLogsOnFailure(server)
    const mara = createApi(server.url)
    const email = 'mara@elsewhere.example'
    await mara.post('/api/register', { username: 'mara', email, password: PASSWORD })
    const chain = await buildDigest('Morning news', mara)
    const times = { scheduledTime: START, timeZone: 'UTC' }
    const { id } = await mara.post<{ id: number }>(`/api/chains/${chain}/schedule`, {
      ...{ ...times, emailRecipients: [email] },
    })
    await mara.post(`/api/scheduled-runs/${id}/execute`)
    const page = await open({
      path: `/chains/${chain}/scheduled`,
      viewport: { width: 390, height: 844 },
      as: mara,
    })
    await page.getByText(`Email waits until ${email} is confirmed.`).waitFor()
    await page.getByText(/by Run Now · completed · mail pending/).waitFor()
    const subjects = () => mail.mails.map(({ headers }) => headers.subject)
    expect(subjects()).toEqual(['Confirm your email address for Catenary'])

    const [link = ''] = /http\S+\/api\/mail\/confirm\/\S+/.exec(mail.mails[0]?.text ?? '') ?? []
    await browser.context.clearCookies()
    const mailProgram = await browser.context.newPage()
    await mailProgram.goto(link)
    await mailProgram.getByRole('heading', { name: 'Confirm this email address?' }).waitFor()
    await expectClean(mailProgram)
    expect(subjects()).toHaveLength(1)
    await mailProgram.getByRole('button', { name: 'Confirm email address' }).click()
    await mailProgram.getByRole('heading', { name: 'Email address confirmed' }).waitFor()
    await expect.poll(subjects, PATIENCE).toEqual([expect.any(String), 'Morning news: completed'])

    const home = await open({ path: '/', viewport: { width: 1280, height: 800 }, as: mara })
    await home.getByRole('link', { name: 'Settings', exact: true }).click()
    await home.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    await home.getByText('Confirmed', { exact: true }).waitFor()
    await expectClean(home)
  },
  TIMEOUT_MS,
)

async function buildDigest(name: string, as: Api = olga): Promise<number> {
  const { id } = await as.post<{ id: number }>('/api/chains', { name })
  const step = {
    title: 'Digest',
    content: 'Write the digest.',
    outputVariableName: 'digest',
    model: 'claude',
  }
  await as.post(`/api/chains/${id}/steps`, step)
  return id
}

async function open({
  path,
  viewport,
  as = olga,
}: {
  path: string
  viewport: { width: number; height: number }
  as?: Api
}): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(as.cookies())
  const page = await browser.context.newPage()
  await page.setViewportSize(viewport)
  await page.goto(server.url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** As it stands; the thorough suite looks at the same dialogs and lists in both themes. */
async function expectClean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
