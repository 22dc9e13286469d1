import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { beginStep, cardOf, runChain, saveStep, sendEmail, writeStep } from './harness/chain-builder.ts'
import { expectCleanPage, keys, mouse } from './harness/hands.ts'
import { PATIENCE } from './harness/screen.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const TIMEOUT_MS = 240_000
const ANA = 'ana@example.org'

let openai: FakeProvider
let mail: MailServer
let folder: string
let server: RunningServer
let olga: Api
let browser: OpenBrowser

beforeAll(async () => {
  openai = await startFakeProvider({ vendor: 'openai' })
  openai.replyByDefault({ text: 'Order A/20418 is lost.' })
  mail = await startMailServer()
  folder = await mkdtemp(join(tmpdir(), 'catenary-mail-step-'))
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
  olga = createApi(server.url)
  await olga.post('/api/register', {
    username: 'olga',
    email: 'olga@example.org',
    password: 'a bridge hangs by its own weight',
  })
  browser = await openBrowser()
}, TIMEOUT_MS)
afterEach(async () => {
  for (const page of browser.context.pages()) await page.close()
  mail.mails.length = 0
  mail.refused.clear()
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
  await mail?.close()
  await openai?.close()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['the mouse', mouse],
  ['keys alone', keys],
] as const)(
  'A chain that emails what it found is built and run: it shows why the server refused an address, goes on once that is mended, and says whom it reached. (%s)',
  async (_, hand) => {
    showLogsOnFailure(server)
    const { id } = await olga.post<{ id: number }>('/api/chains', { name: 'Lost orders' })
    const page = await open(`/chains/${id}`)
    const builder = { page, hand }
    await beginStep(builder)
    await writeStep(builder, { title: 'Find it', output: 'found', content: 'Which order is lost?' })
    await saveStep(builder, 'Find it')

    await beginStep(builder)
    await sendEmail(builder, {
      title: 'Tell Ana',
      output: 'told',
      to: ANA,
      subject: 'A lost order',
      text: 'Look: {{found}}',
    })
    await expectCleanPage(page)
    await saveStep(builder, 'Tell Ana')
    const telling = cardOf(page, 'Tell Ana')
    await telling.getByText(ANA).first().waitFor()
    await expectCleanPage(page)

    mail.refused.set(ANA, 550)
    await runChain(builder)
    await telling
      .getByText(/^No email was sent\. ana@example\.org: The mail server refused the address/)
      .waitFor()
    await expectCleanPage(page)
    expect(mail.mails).toEqual([])

    mail.refused.clear()
    await hand.press(telling.getByRole('button', { name: 'Resume from here' }))
    await expect
      .poll(() => mail.mails.map(({ to, headers }) => [to, headers.subject]), PATIENCE)
      .toEqual([[[ANA], 'A lost order']])
    expect(mail.mails[0]?.text).toContain('Look: Order A/20418 is lost.')
    await hand.press(telling.getByRole('button', { name: /^done/ }))
    await telling.getByRole('figure', { name: 'Output' }).getByText(ANA).first().waitFor()
    await hand.press(telling.getByRole('button', { name: 'Rendered input' }))
    await telling.getByRole('figure', { name: 'Rendered input' }).getByText('A lost order').first().waitFor()
    await expectCleanPage(page)
  },
  TIMEOUT_MS,
)

async function open(path: string): Promise<Page> {
  await browser.context.clearCookies()
  await browser.context.addCookies(olga.cookies())
  const page = await browser.context.newPage()
  await page.goto(server.url + path)
  return page
}
