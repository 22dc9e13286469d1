import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../../database/open/client.ts'
import { startChainLibrary } from '../../../testing/chain-library.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startChainRun } from './start-run.ts'

/** Create, notify, claim, and one for each step. */
const MOST = 6
/** What a process does by itself: its sign of life, its leases and jobs, and what all calls of a second have cost. */
const BY_ITSELF =
  /\bprocesses\b|\bjobs\b|model_spending|update executions set lease_until|^with "ended" as|pg_stat_activity|of the test/

test('Where one process starts a run of three steps and another runs it, that takes six statements.', async () => {
  const web = await startChainLibrary('server', {}, { role: 'web' })
  const databaseUrl = String(web.client.pool.options.connectionString)
  const database = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
  const worker = await web.startProcess({ role: 'worker' }, database)
  await web.app.start()
  await worker.app.start()
  const { id: chainId } = await web.buildChain(['one', 'two {{a}}', 'three {{b}}'])
  const isOver = async (id: number) => {
    const { rows } = await web.client.pool.query(
      `/* of the test */ select from executions where id = ${id} and status = 'completed'`,
    )
    return rows.length === 1
  }
  const run = async () => {
    const { id } = await startChainRun(web.app.ctx, {
      user: web.owner.user,
      allowed: OWN_TEXTS_ONLY,
      chainId,
      input: 'bridges',
    })
    await vi.waitFor(async () => expect(await isOver(id)).toBe(true), { interval: 100 })
  }
  // What is kept in memory is read once.
  await run()

  const statementsOf = async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await run()
    const texts = query.mock.calls.map(([asked]) =>
      String(typeof asked === 'string' ? asked : Object(asked).text),
    )
    query.mockRestore()
    return texts.filter((text) => !BY_ITSELF.test(text))
  }
  // A worker also looks every ten seconds whether runs wait.
  const tries = [await statementsOf(), await statementsOf(), await statementsOf()]
  const fewest = tries.reduce((a, b) => (b.length < a.length ? b : a))
  expect(fewest.length, fewest.join('\n\n')).toBeLessThanOrEqual(MOST)
  expect(fewest.join('\n')).toContain('with people as materialized')
  expect(web.sent()).toHaveLength(12)

  await worker.close()
  await database.close()
  await web.close()
})
