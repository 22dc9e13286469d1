import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../../database/open/client.ts'
import { makeStepAsk } from '../../testing/asks.ts'
import { createEmptyDirectory, createServerDatabase, databaseKinds } from '../../testing/database.ts'
import { type FakeService, startFakeService, toolStep } from '../../testing/fake-service.ts'
import { type Gateway, startGateway } from '../../testing/gateway.ts'
import { toBrowserHeaders } from '../../testing/harness.ts'
import { writeBackupFile } from './backup-file.ts'
import { openBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { withBackup } from './with-backup.ts'

const PATIENCE_MS = 120_000

describe.each(databaseKinds)('asks and calls of a copy, on %s', (kind) => {
  let service: FakeService
  let library: Gateway
  let work: string
  beforeAll(async () => {
    service = await startFakeService()
    library = await startGateway(kind, {}, { toolHosts: [service.host] })
    work = await createEmptyDirectory()
  }, PATIENCE_MS)
  afterAll(async () => {
    await library.close()
    await service.close()
    rmSync(work, { recursive: true, force: true })
  })

  const waiting = (
    run: number,
    find: (run: number) => Promise<{ waitingFor?: { askId: number } | null | undefined }>,
  ) => vi.waitFor(async () => (await find(run)).waitingFor?.askId ?? expect.fail('it does not wait'))

  /** The library as it is now, in a copy that goes on with its work, and its owner there. */
  const restore = async (name: string) => {
    const file = path.join(work, name)
    const about = { keyFingerprint: null, reason: 'by hand' } as const
    await withBackup({ database: library.client, ...about }, (bytes) => writeBackupFile({ file, bytes }))
    const target = {
      dataDir: path.join(work, `${name}-restored`),
      ...(kind === 'server' && { databaseUrl: await createServerDatabase({ migrated: false }) }),
    }
    const backup = await openBackup(file)
    await restoreBackup({ backup, fsync: false, resumeWork: true, ...target }).finally(() => backup.close())
    const client = await openDatabase({ fsync: false, ...target })
    const copy = await library.startProcess({}, client)
    await copy.app.start()
    const { username } = library.owner.user
    const body = { username, password: library.owner.password }
    const signedIn = await copy.request({ method: 'POST', url: '/api/login', body })
    expect(signedIn.status, signedIn.text).toBe(200)
    const as = { ...library.owner, headers: toBrowserHeaders(signedIn.cookies) }
    return {
      copy,
      as,
      read: async <T>(url: string) => (await copy.request({ url, as })).body as T,
      close: async () => {
        await copy.close()
        await client.close()
      },
    }
  }

  test(
    'A restored copy asks nobody: its waiting runs are stopped and say why, and can be resumed. What was copied still asks.',
    async () => {
      const { username } = library.owner.user
      const step = { kind: 'ask', title: 'Approve', content: '', ask: makeStepAsk({ people: [username] }) }
      const chain = await library.buildChain([step, 'Send {{a.text}}.'])
      const run = await library.execute(chain.id, { input: 'Dear Halden' })
      const asked = await waiting(run, (id) => library.status(id))

      const { copy, as, read, close } = await restore('asks')
      expect(await read(`/api/executions/${run}`)).toMatchObject({
        ...{ status: 'cancelled', errorCode: 'cancelled' },
        error: expect.stringContaining('restored from a backup, so nobody is asked any more'),
      })
      expect(await read('/api/asks/count')).toEqual({ count: 0 })
      expect(await read(`/api/asks/${asked}`)).toMatchObject({ status: 'withdrawn', canAnswer: false })
      const late = { method: 'POST', url: `/api/asks/${asked}/answer`, as } as const
      expect((await copy.request({ ...late, body: { decision: 'approve' } })).status).toBe(409)

      const resumed = await copy.request({ method: 'POST', url: `/api/executions/${run}/resume`, as })
      expect(resumed.status, resumed.text).toBe(200)
      expect(await waiting(run, (id) => read(`/api/executions/${id}/status`))).not.toBe(asked)
      await close()

      library.fake.reply({ text: 'Sent' })
      const url = `/api/asks/${asked}/answer`
      const answered = await library.request({
        method: 'POST',
        url,
        as: library.owner,
        body: { decision: 'approve' },
      })
      expect(answered.status, answered.text).toBe(200)
      expect(await library.ended(run)).toMatchObject({ status: 'completed', output: 'Sent' })
    },
    PATIENCE_MS,
  )

  test(
    'A restored copy sends no call of a run that was under way by itself, not even one that is safe to repeat: its runner says of each whether it happened since.',
    async () => {
      const forEach = { list: 'input', as: 'item', max: 3, atOnce: 1, onFailure: 'stop', result: 'text' }
      const chain = await library.buildChain([
        'Ask {{input}}',
        toolStep({ url: `${service.url}/orders`, safeToRepeat: true }),
        toolStep({ url: `${service.url}/mails/{{item}}` }, { forEach }),
      ])
      library.fake.reply({ text: 'slow', delayMs: 8_000 })
      const run = await library.execute(chain.id, { input: 'A\nB' })
      await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
      const { copy, as, read, close } = await restore('calls')
      const find = (id: number) => read<{ waitingFor?: { askId: number } }>(`/api/executions/${id}/status`)
      const say = async (position: number, body: object) => {
        const url = `/api/executions/${run}/steps/${position}/unsure`
        const reply = await copy.request({ method: 'POST', url, as, body })
        expect(reply.status, reply.text).toBe(200)
      }
      const first = await waiting(run, find)
      expect(await read(`/api/asks/${first}`)).toMatchObject({
        ...{ status: 'open', canAnswer: true, position: 1 },
        unsure: { item: null, why: expect.stringContaining('restored from a backup') },
      })
      await say(1, { happened: true, answer: 'sent' })
      const second = await vi.waitFor(async () => {
        const asked = await waiting(run, find)
        expect(asked).not.toBe(first)
        return asked
      })
      expect(await read(`/api/asks/${second}`)).toMatchObject({ position: 2, unsure: { item: 0 } })
      const ofCopy = () => service.calls.filter(({ url }) => url === '/mails/B').length
      expect(await library.ended(run)).toMatchObject({ status: 'completed' })
      expect(service.calls.map(({ url }) => url)).toEqual(['/orders', '/mails/A', '/mails/B'])
      await say(2, { happened: true, item: 0, answer: 'A' })
      await say(2, { happened: false, item: 1 })
      await vi.waitFor(async () =>
        expect(await read(`/api/executions/${run}`)).toMatchObject({ status: 'completed' }),
      )
      expect([service.calls.length, ofCopy()]).toEqual([4, 2])
      await close()
    },
    PATIENCE_MS,
  )
})
