import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createDataDirectory } from '../../testing/database.ts'

const MODULE = new URL('./pglite.ts', import.meta.url).href
const MOST_MB = 400
/** Prints the most that the process held, after more statements than make a parser hot. */
const PARSE = `
  import { existsSync, readFileSync } from 'node:fs'
  import { openPglite } from ${JSON.stringify(MODULE)}
  const pglite = await openPglite({ directory: process.argv[1], fsync: false, onExit: () => {} })
  for (let i = 0; i < 50; i++) await pglite.query('select relname, relkind from pg_class where oid = ' + i)
  await pglite.close()
  // On Linux maxRSS begins with what the parent held as it started this process.
  const status = '/proc/self/status'
  const peak = existsSync(status) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1] : process.resourceUsage().maxRSS
  console.log(peak)`

it('spares the optimiser the parser, which would take 600 MB', async () => {
  const dataDir = await createDataDirectory()
  // What is hot is optimised at once, not in the background.
  const args = ['--wasm-sync-tier-up', '--input-type=module', '-e', PARSE, path.join(dataDir, 'database')]
  const kilobytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  expect(kilobytes / 1024).toBeLessThan(MOST_MB)
  rmSync(dataDir, { recursive: true })
})
