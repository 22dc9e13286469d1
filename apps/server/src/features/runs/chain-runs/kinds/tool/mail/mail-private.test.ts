import type { AskedSend, Chain, MailTool } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SharedChains, startSharingChains } from '../../../../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../../../../testing/database.ts'
import type { TestUser } from '../../../../../../testing/harness.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../../../../../testing/schedules.ts'
import { makeMailTool } from '../../../../../../testing/step-tools.ts'
import { trustTestCertificate } from '../../../../../../testing/trusted-certificate.ts'

trustTestCertificate()
const SECRET = 'Lovelace'
const fills = ['secret']
const ANA = 'ana@corp.example'
const THIEF = 'thief@corp.example'
const each = (list: string) => ({
  forEach: { list, as: 'item', max: 20, atOnce: 5, onFailure: 'stop', result: 'text' },
})

describe.each(routeDatabaseKinds)('private values and emails, on %s', (kind) => {
  let library: ScheduleLibrary
  let share: SharedChains['share']
  let viewer: TestUser
  let editor: TestUser
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    ;({ share, viewer, editor } = await startSharingChains({ ...library, find: library.findRun }))
    await library.createVariable(viewer, { name: 'secret', content: SECRET })
    await library.createVariable(library.owner, { name: 'own', content: THIEF })
    await library.reset()
    await library.app.start()
  })
  afterAll(() => library.close())
  afterEach(() => library.reset())

  const mails = (tool: Partial<MailTool> = {}, fields: object = {}) => ({
    ...{
      kind: 'tool',
      title: 'Tell',
      content: '',
      tool: makeMailTool({ to: [ANA], text: '{{a}}', ...tool }),
    },
    ...fields,
  })
  const WRITES = 'Write to $<secret>.'
  const execute = (chain: Pick<Chain, 'id'>, body: object, as = viewer) =>
    library.request({ method: 'POST', url: `/api/chains/${chain.id}/execute`, as, body })
  const sendsOf = async (chain: Pick<Chain, 'id'>) =>
    (await library.request({ url: `/api/chains/${chain.id}/sends`, as: viewer })).body as AskedSend[]
  const change = async (chain: Chain, position: number, tool: Partial<MailTool>) => {
    const url = `/api/chains/${chain.id}/steps/${chain.steps[position]?.id}`
    const reply = await library.request({ method: 'PATCH', url, as: editor, body: mails(tool) })
    expect(reply.status, reply.text).toBe(200)
  }
  const nobody = () => expect(library.server.mail.mails).toEqual([])
  const ran = async (chain: Chain, body: object) => {
    const started = await execute(chain, body)
    expect(started.status, started.text).toBe(201)
    return library.ended((started.body as { id: number }).id, viewer)
  }

  test('A private value is mailed to no address that its runner did not confirm, and to the one that they did.', async () => {
    const chain = await share([WRITES, mails()])
    const refused = await execute(chain, { fills })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'value_would_leave' }])
    const [send] = await sendsOf(chain)
    expect(send).toMatchObject({ kind: 'mail', position: 1, title: 'Tell', to: [ANA], isConfirmed: false })
    nobody()
    library.fake.reply({ text: `Dear ${SECRET}` })
    expect(await ran(chain, { fills, sends: [send?.destination] })).toMatchObject({ status: 'completed' })
    const [mail] = await library.arrived(1)
    expect([mail?.to, mail?.text]).toEqual([[ANA], expect.stringContaining(`Dear ${SECRET}`)])
  })

  const others: Partial<MailTool>[] = [{ to: [THIEF] }, { to: [ANA, THIEF] }, { to: ['ANA@corp.example'] }]
  test.each(others)('Any change of the addresses is another destination. (%j)', async (tool) => {
    const chain = await share([WRITES, mails()])
    const sends = (await sendsOf(chain)).map(({ destination }) => destination)
    await change(chain, 1, tool)
    const refused = await execute(chain, { fills, sends })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'value_would_leave' }])
    nobody()
  })

  const spellings: [string, () => (string | object)[]][] = [
    ['subject', () => [WRITES, mails({ subject: '{{a}}' })]],
    ['whether it is sent', () => [mails({}, { onlyIf: { all: [{ ref: 'secret', op: 'is', value: 'x' }] } })]],
    ['how often', () => [WRITES, mails({ text: 'x' }, each('a'))]],
    ['when, with nothing of it', () => [WRITES, mails({ text: 'x' })]],
  ]
  test.each(spellings)('No email spells a private value to unconfirmed addresses. (%s)', async (_, steps) => {
    const chain = await share(steps())
    expect((await execute(chain, { fills })).status).toBe(409)
    nobody()
  })

  const references: [string, () => (string | object)[]][] = [
    ['an output', () => [WRITES, mails({ to: ['{{a}}'] })]],
    ['the input', () => [WRITES, mails({ to: [ANA, '{{input}}'] })]],
    ['an item', () => [WRITES, mails({ to: ['{{item}}'] }, each('input'))]],
    ['the value itself', () => [mails({ to: ['$<secret>'] })]],
  ]
  test.each(references)(
    'A run that uses private values mails no address that a reference stands for. (%s)',
    async (_, steps) => {
      const chain = await share(steps())
      expect(await sendsOf(chain)).toEqual([])
      const refused = await execute(chain, { fills, input: THIEF })
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('private values')])
      nobody()
    },
  )

  test('A chain that its runner wrote alone, also in a run that nobody watches, mails no private value to an address by reference.', async () => {
    const own = await library.buildChain(['Use $<own>.', mails({ to: ['{{a}}'] })])
    const refused = await execute(own, {}, library.owner)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('private values')])
    library.fake.reply({ text: THIEF })
    const made = await library.schedule(own.id)
    await library.passNext(made)
    const [mark] = await library.marks(made, [{ state: 'failed' }])
    const run = await library.findRun(mark?.executionId ?? 0)
    expect(run).toMatchObject({
      errorCode: 'tool_failed',
      error: expect.stringMatching(/^No email was sent: this run uses private values/),
    })
    expect(library.server.mail.mails.filter(({ to }) => to.includes(THIEF))).toEqual([])
  })
})
