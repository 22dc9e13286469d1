import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { type BenchDatabase, fillLibrary, openBenchDatabase } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { startCatenary } from './lib/start-catenary.ts'

const WRITES = { warmup: 2, rounds: 15 }
const WRITES_A_TURN = 40
const CHANGES = 1_000

const TABLES = ['users', 'sessions', 'prompts', 'prompt_tags']

/** The cost of row notifications: the same writes with and without the triggers. */
async function compareWrites({ bench, name }: { bench: BenchDatabase; name: string }): Promise<void> {
  const { pool } = bench.database
  const { api, close } = await startCatenary(bench)
  await fillLibrary(bench)
  let writes = 0
  const savePrompt = async () => {
    const body = { title: `Saved ${writes}`, content: 'Content', categoryId: 1, tagIds: [1, 2, 3] }
    const { status } = await api.call('PUT', `/api/prompts/${1 + (writes % 1_000)}`, body)
    if (status !== 200) throw new Error(`The prompt was not saved: ${status}`)
  }
  const renewSession = () =>
    pool.query('update sessions set expires_at = expires_at + $1::interval', [`${writes} s`])
  const inTurn = (write: () => Promise<unknown>, triggers: 'enable always' | 'disable') => async () => {
    for (const table of TABLES) {
      for (const event of table === 'prompt_tags' ? ['insert', 'delete'] : ['update']) {
        await pool.query(`alter table ${table} ${triggers} trigger tell_${event}`)
      }
    }
    // The first one has yet to plan its statements.
    await write()
    const start = performance.now()
    for (let turn = 0; turn < WRITES_A_TURN; turn += 1) {
      writes += 1
      await write()
    }
    return (performance.now() - start) / WRITES_A_TURN
  }
  const figures = [
    ['a prompt saved with its tags', savePrompt],
    ['a session renewed', renewSession],
  ] as const
  for (const [figure, write] of figures) {
    const { silent, told } = await interleave({
      ...WRITES,
      contenders: { silent: inTurn(write, 'disable'), told: inTurn(write, 'enable always') },
    })
    print({
      figure: `${figure}, told to all who keep it, ${name}`,
      value: milliseconds(median(told)),
      floor: `${milliseconds(median(silent))} told to nobody`,
      ratio: (median(told) / median(silent)).toFixed(2),
    })
  }
  await close()
}

/** From the reply to a write in one process until another has heard of it. */
async function timeHearing(bench: BenchDatabase): Promise<void> {
  const databaseUrl = String(bench.database.pool.options.connectionString)
  const elsewhere = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
  await elsewhere.rowChanges.listen()
  const heard = new EventTarget()
  elsewhere.rowChanges.subscribe(() => heard.dispatchEvent(new Event('change')))
  const times: number[] = []
  for (let count = 0; count < CHANGES; count += 1) {
    const hearing = once(heard, 'change').then(() => performance.now())
    await bench.database.pool.query('update prompts set is_active = not is_active where id = 1')
    const replied = performance.now()
    times.push(Math.max(0, (await hearing) - replied))
    await nextTurn()
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => milliseconds(times[Math.floor(part * times.length)] ?? Number.NaN)
  print({ figure: 'a change heard by another process after its reply, p50, PostgreSQL', value: at(0.5) })
  print({ figure: 'the same, p99', value: at(0.99) })
  await elsewhere.close()
}

for (const kind of ['embedded', 'server'] as const) {
  const bench = await openBenchDatabase(kind)
  await compareWrites({ bench, name: kind === 'server' ? 'PostgreSQL' : 'embedded' })
  if (kind === 'server') await timeHearing(bench)
  await bench.close()
}
// The embedded server's watcher would hold the process.
process.exit(0)
