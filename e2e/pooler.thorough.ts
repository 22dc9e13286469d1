import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { runCommand } from './harness/command.ts'
import { startPostgres } from './harness/postgres.ts'
import { installPackages, untilAccepts } from './harness/proxies.ts'

const POOLER = 'pgbouncer'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let folder: string
beforeAll(async () => {
  await installPackages({ [POOLER]: POOLER })
  postgres = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'catenary-pooler-'))
  await chmod(folder, 0o755)
}, 600_000)
afterAll(async () => {
  await postgres?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A real PgBouncer in front of the database; gives the address to connect to. */
async function startPooler(mode: 'session' | 'transaction'): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort()
  const { hostname, port: behind } = new URL(postgres.url)
  const settings = [
    '[databases]',
    `postgres = host=${hostname} port=${behind} user=postgres password=password`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}`,
  ]
  const file = join(folder, `${mode}.ini`)
  await writeFile(file, settings.join('\n'))
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(POOLER, ['-q', file], { ...user, env, stdio: 'ignore' })
  await untilAccepts(port)
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, child }
}

async function askDoctor(databaseUrl: string): Promise<string> {
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: 'k'.repeat(32) }
  const { out } = await runCommand(['doctor'], { dataDir: folder, env })
  return /^ +(\w.* [Pp]ooler .*)$/m.exec(out)?.[1] ?? out
}

test.each([
  {
    mode: 'session',
    said: /^warning +A pooler stands between, and seems to keep each session for one client$/,
  },
  {
    mode: 'transaction',
    said: /^problem +A pooler stands between that lends one session to several clients/,
  },
] as const)('doctor tells a pooler by $mode from none', async ({ mode, said }) => {
  expect(await askDoctor(postgres.url)).toMatch(/^ok +No pooler stands between$/)
  const { url, child } = await startPooler(mode)
  try {
    expect(await askDoctor(url)).toMatch(said)
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
})
