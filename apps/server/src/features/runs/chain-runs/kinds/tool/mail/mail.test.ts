import type { Chain, MailTool, RunDetails } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../../../../../testing/database.ts'
import type { TestUser } from '../../../../../../testing/harness.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../../../../../testing/schedules.ts'
import { makeMailTool } from '../../../../../../testing/step-tools.ts'
import { trustTestCertificate } from '../../../../../../testing/trusted-certificate.ts'

trustTestCertificate()
const ANA = 'ana@corp.example'
const BEN = 'ben@corp.example'

describe.each(routeDatabaseKinds)('a step that sends an email, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    const settings = { mailRecipients: 'confirmed', mailDomains: ['corp.example'], mailsPerHour: 6 }
    library = await startScheduleLibrary(kind, { settings })
    await library.reset()
    await library.app.start()
  })
  afterAll(() => library.close())
  afterEach(async () => {
    library.server.mail.refused.clear()
    await library.reset()
  })

  const mails = (tool: Partial<MailTool> = {}, fields: object = {}) => ({
    ...{ kind: 'tool', title: 'Tell them', content: '', tool: makeMailTool({ to: [ANA], ...tool }) },
    ...fields,
  })
  const runOf = async (chain: Chain, body: object = {}, as?: TestUser) =>
    library.ended(await library.execute(chain.id, body, as), as)
  const resume = async (id: number) => {
    await library.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: library.owner })
    return library.ended(id)
  }
  const failure = ({ status, errorCode, error }: RunDetails) => ({ status, errorCode, error })
  const recipients = () => library.server.mail.mails.map(({ to }) => to)

  test('A step sends an email with the values in their places, and later steps take what was sent.', async () => {
    const chain = await library.buildChain([
      mails({ to: ['{{input}}', BEN], subject: 'For {{input}}', text: '**Hello** {{input}}' }),
      'Sent to {{a.to}} about {{a.subject}}, not to {{a.refused}}',
    ])
    library.fake.reply({ text: 'Done' })
    const run = await runOf(chain, { input: ANA })
    expect(run).toMatchObject({ status: 'completed', output: 'Done' })
    const [first, second] = await library.arrived(2)
    expect([first?.to, second?.to]).toEqual([[ANA], [BEN]])
    expect(first?.headers).toMatchObject({
      ...{ to: ANA, subject: `For ${ANA}`, 'auto-submitted': 'auto-generated' },
      'list-unsubscribe': expect.stringContaining('/api/mail/unsubscribe/'),
    })
    expect(first?.text).toContain(`**Hello** ${ANA}\n\nSent by Olga with Catenary: http://localhost`)
    expect(first?.html).toContain('<strong>Hello</strong>')
    expect(library.sent()).toEqual([`Sent to ["${ANA}","${BEN}"] about For ${ANA}, not to []`])
    expect(run.steps[0]?.inputContent).toBe(`To: ${ANA}, ${BEN}\nSubject: For ${ANA}\n\n**Hello** ${ANA}`)
  })

  test('No value adds a header or an address.', async () => {
    const chain = await library.buildChain([mails({ subject: 'Hi {{input}}' })])
    await runOf(chain, { input: `x\r\nBcc: thief@corp.example\u2028Cc: thief@corp.example` })
    const [mail] = await library.arrived(1)
    expect([mail?.to, mail?.headers.bcc, mail?.headers.cc]).toEqual([[ANA], undefined, undefined])
    const other = await library.buildChain([mails({ to: ['{{input}}'] })])
    for (const input of [`${ANA}, thief@corp.example`, 'Thief <thief@corp.example>', 'nobody', '']) {
      expect(failure(await runOf(other, { input })), input).toEqual({
        ...{ status: 'failed', errorCode: 'tool_failed' },
        error: '{{input}} stands for no email address',
      })
    }
    expect(recipients()).toEqual([[ANA]])
  })

  test('An address that has not agreed gets a question, and the email once it agreed and the run goes on (D58).', async () => {
    const stranger = 'stranger@example.com'
    const chain = await library.buildChain([mails({ to: [ANA, stranger] })])
    const run = await runOf(chain)
    expect(failure(run)).toEqual({
      ...{ status: 'failed', errorCode: 'tool_failed' },
      error: `No email was sent. ${stranger}: Waiting for the recipient to agree`,
    })
    const [question] = await library.arrived(1)
    expect(question).toMatchObject({ to: [stranger], headers: { subject: 'May Olga email you results?' } })
    const url = new URL(/http:\/\/localhost\/api\/mail\/confirm\/\S+/.exec(question?.text ?? '')?.[0] ?? '')
    await library.request({ method: 'POST', url: url.pathname })
    expect(await resume(run.id)).toMatchObject({ status: 'completed' })
    expect(recipients()).toEqual([[stranger], [ANA], [stranger]])
    const stop = /http:\/\/localhost\/api\/mail\/unsubscribe\/\S+/.exec(
      library.server.mail.mails.at(-1)?.text ?? '',
    )?.[0]
    await library.request({ method: 'POST', url: new URL(stop ?? '').pathname })
    expect((await runOf(chain)).error).toBe(
      `No email was sent. ${stranger}: The recipient asked for no more email`,
    )
  })

  test('An email that the server refuses fails the step, and one that it refuses for some is told of in the output.', async () => {
    library.server.mail.refused.set(BEN, 550)
    const alone = await library.buildChain([mails({ to: [BEN] })])
    const run = await runOf(alone)
    const reason = 'The mail server refused the address (it answered 550)'
    expect(failure(run)).toEqual({
      ...{ status: 'failed', errorCode: 'tool_failed' },
      error: `No email was sent. ${BEN}: ${reason}`,
    })
    const both = await library.buildChain([mails({ to: [BEN, ANA] })])
    const { output } = await runOf(both)
    expect(JSON.parse(output ?? '')).toEqual({
      ...{ to: [ANA], subject: 'An order', refused: [{ address: BEN, reason }] },
    })
    library.server.mail.refused.clear()
    expect(await resume(run.id)).toMatchObject({ status: 'completed' })
    expect(recipients()).toEqual([[ANA], [BEN]])
  })

  test('An email that may have been sent is sent again once its runner has said so.', async () => {
    library.server.mail.cuts = 1
    const chain = await library.buildChain([mails()])
    const id = await library.execute(chain.id)
    await vi.waitFor(async () => expect((await library.status(id)).waitingFor?.unsure).toBe(true))
    // Its runner is told of it.
    await vi.waitFor(() => expect(recipients()).toEqual([['olga@example.org']]))
    const url = `/api/executions/${id}/steps/0/unsure`
    const body = { happened: false }
    const said = await library.request({ method: 'POST', url, body, as: library.owner })
    expect(said.status, said.text).toBe(200)
    expect(await library.ended(id)).toMatchObject({ status: 'completed' })
    expect(recipients()).toEqual([['olga@example.org'], [ANA]])
  })

  test('More emails than an account may send within an hour are refused before the first of them.', async () => {
    const chain = await library.buildChain([mails({ to: [ANA, BEN] })])
    for (let run = 0; run < 3; run += 1) expect(await runOf(chain)).toMatchObject({ status: 'completed' })
    const error = `No email was sent. ${ANA}: More than 6 emails within an hour; ${BEN}: More than 6 emails within an hour`
    expect((await runOf(chain)).error).toBe(error)
    expect(recipients()).toHaveLength(6)
  })

  test('A preview shows an email and sends none.', async () => {
    const chain = await library.buildChain([mails({ to: [ANA, BEN], text: 'Hello' })])
    const reply = await library.request({
      ...{ method: 'POST', url: `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}/preview` },
      as: library.owner,
    })
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { inputContent: `To: ${ANA}, ${BEN}\nSubject: An order\n\nHello` },
    ])
    expect(recipients()).toEqual([])
  })

  test('An email for each item of a list is sent once; items that the server refused are sent again alone.', async () => {
    library.server.mail.refused.set(BEN, 550)
    const forEach = { list: 'input', as: 'item', max: 5, atOnce: 1, onFailure: 'leave_out', result: 'json' }
    const chain = await library.buildChain([mails({ to: ['{{item}}'] }, { forEach })])
    const run = await runOf(chain, { input: `${ANA}\n${BEN}` })
    expect(run.steps[0]?.items?.map(({ status }) => status)).toEqual(['completed', 'failed'])
    library.server.mail.refused.clear()
    const url = `/api/executions/${run.id}/steps/0/retry-items`
    expect((await library.request({ method: 'POST', url, as: library.owner })).status).toBe(200)
    expect(await library.ended(run.id)).toMatchObject({ status: 'completed' })
    expect(recipients()).toEqual([[ANA], [BEN]])
  })

  test('A step without an address fails and says so.', async () => {
    const chain = await library.buildChain([mails({ to: [] })])
    expect((await runOf(chain)).error).toBe('The step does not say whom the email goes to')
  })

  test('Where only administrators may save such steps, nobody else brings in an email or changes its addresses.', async () => {
    const chain = await library.buildChain([mails()])
    const setSavers = (savedBy: string) =>
      library.request({ method: 'PUT', url: '/api/admin/tool-steps', body: { savedBy }, as: library.admin })
    await setSavers('admins')
    try {
      const step = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
      const save = async (method: 'POST' | 'PATCH', url: string, body: object) =>
        (await library.request({ method, url, body, as: library.owner })).status
      expect(await save('PATCH', step, { tool: mails({ to: [BEN] }).tool })).toBe(403)
      const added = { ...mails(), outputVariableName: 'b', position: 1 }
      expect(await save('POST', `/api/chains/${chain.id}/steps`, added)).toBe(403)
      expect(await save('PATCH', step, { title: 'Tell Ana' })).toBe(200)
    } finally {
      await setSavers('everyone')
    }
  })

  const faults: [Partial<MailTool>, string][] = [
    [{ to: ['nobody'] }, 'tool.to.0'],
    [{ to: [ANA, 'to-{{input}}@corp.example'] }, 'tool.to.1'],
    [{ to: ['ana@{{input}}'] }, 'tool.to.0'],
    [{ to: [ANA, ANA.toUpperCase()] }, 'tool.to.1'],
    [{ subject: ' ' }, 'tool.subject'],
    [{ text: '\n' }, 'tool.text'],
  ]
  test.each(faults)('What can’t be sent is refused when it is saved. (%j)', async (tool, path) => {
    const { id } = await library.buildChain([])
    const reply = await library.request({
      ...{ method: 'POST', url: `/api/chains/${id}/steps`, as: library.owner },
      body: { ...mails(tool), outputVariableName: 'a', position: 0 },
    })
    expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path }] }])
  })
})

describe.each(routeDatabaseKinds)('a step that sends an email without a mail server, on %s', (kind) => {
  test('Where no mail is set up, the step fails and says so.', async () => {
    const library = await startScheduleLibrary(kind, { hasMail: false })
    try {
      await library.app.start()
      const tool = makeMailTool()
      const chain = await library.buildChain([{ kind: 'tool', title: 'Tell them', content: '', tool }])
      const run = await library.ended(await library.execute(chain.id, {}))
      expect([run.errorCode, run.error]).toEqual([
        'tool_failed',
        'No email was sent. ana@example.com: This server has no mail server set up (SMTP_URL)',
      ])
    } finally {
      await library.close()
    }
  })
})
