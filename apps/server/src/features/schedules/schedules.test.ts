import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseKinds } from '../../testing/database.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(databaseKinds)('schedules that fire on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => {
    library.fake.reset()
    library.server.mail.mails.length = 0
  })

  test('a one-time schedule runs once, with its input, mails the result, and is inactive then', async () => {
    const chain = await library.buildChain(['Say {{input}}'], { name: 'Report' })
    library.fake.reply({ text: ['**Done** <b>x</b> ![pixel](https://evil.example/p.png)'] })
    const created = await library.schedule(chain.id, {
      input: 'hello',
      emailRecipients: ['boss@example.com'],
    })
    expect(created).toMatchObject({
      name: 'Report',
      description: 'One-time',
      status: 'pending',
      active: true,
    })
    expect(created.nextRunAt).toBe(created.scheduledTime)
    await library.pass(HOUR)
    const [mark] = await library.marks(created, [{ state: 'completed', emailStatus: 'sent' }])
    expect(library.sent()).toEqual(['Say hello'])
    expect(await library.find(created)).toMatchObject({
      ...{ active: false, nextRunAt: null, status: 'completed', emailStatus: 'sent' },
      lastExecutionId: mark?.executionId,
    })
    const run = await library.findRun(mark?.executionId ?? 0)
    expect(run).toMatchObject({ trigger: 'schedule', executedBy: 'Olga', status: 'completed' })
    const [mail] = await library.arrived(1)
    expect(mail?.to).toEqual(['boss@example.com'])
    expect(mail?.text).toContain('**Done**')
    expect(mail?.html).toContain('<strong>Done</strong> &lt;b&gt;x&lt;/b&gt;')
    expect(mail?.html).not.toContain('<img')
  })
})
