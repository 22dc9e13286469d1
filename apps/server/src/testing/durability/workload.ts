/** A program to be killed: commits until it is stopped, or COMMITS times, and journals what was acknowledged. */
import { openDatabase } from '../../database/open/client.ts'
import { openJournal } from './journal.ts'
import { seededRandom } from './power-cut.ts'

const { DATA_DIR = '', FSYNC, COMMITS = 'Infinity', SEED = '1', ACKNOWLEDGED = '' } = process.env
const random = seededRandom(Number(SEED))
const journal = openJournal(ACKNOWLEDGED)
const database = await openDatabase({ dataDir: DATA_DIR, fsync: FSYNC === 'on' })
console.log('open')

for (let done = 0; done < Number(COMMITS); done++) {
  const key = 1 + Math.floor(random() * 200)
  const client = await database.pool.connect()
  await client.query('begin')
  const text = 'x'.repeat(random() * 300)
  const { rows } = await client.query('insert into entries (key, text) values ($1, $2) returning id', [
    key,
    text,
  ])
  await client.query('update counters set n = n + 1 where key = $1', [key])
  await client.query('commit')
  client.release()
  journal.append({ op: 'acknowledge', value: rows[0].id })
  if (random() < 0.01) await database.pool.query('checkpoint')
}
// Without closing: that would write everything down.
process.exit()
