import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { launchProgram, startServer } from './harness/server.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catenary-late-'))
})
afterEach(async () => {
  await Promise.all(launched.splice(0).map(end))
  await rm(folder, { recursive: true, force: true })
})

const launched: ChildProcess[] = []
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const SECRET_KEY = 'shared by all processes of this instance'

function launch(env: Record<string, string>, args: string[] = []) {
  const child = launchProgram({ cwd: folder, args, env: { DATA_DIR: folder, SECRET_KEY, ...env } })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  launched.push(child)
  return { child, output: () => output }
}

/** The same server at another port, once it is opened. */
async function prepareLate(): Promise<{ url: string; open(): Promise<void> }> {
  const url = new URL(await createServerDatabase({ migrated: false }))
  const to = Number(url.port)
  const port = await freePort()
  url.port = String(port)
  return {
    url: url.href,
    open: async () => {
      const proxy = createServer((socket) => {
        const server = connect(to, '127.0.0.1')
        socket.pipe(server).pipe(socket)
        for (const each of [socket, server]) each.on('error', () => {})
      })
      await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
      onTestFinished(() => void proxy.close())
    },
  }
}

test('A start works where reading the program’s modules takes longer than a connection may.', async () => {
  const late = await prepareLate()
  const port = await freePort()
  const { output } = launch({ DATABASE_URL: late.url, PORT: String(port) })
  const { host, pathname } = new URL(late.url)
  const line = `The database ${pathname.slice(1)} at ${host} (DATABASE_URL) refuses connections. Is PostgreSQL running there? Trying again for another`
  await expect.poll(() => output().split(line).length, { timeout: 120_000 }).toBeGreaterThan(3)
  await late.open()
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status
  await expect.poll(isReady, { timeout: 120_000, interval: 200 }).toBe(200)
}, 300_000)

/** Blocks the thread while the program’s own modules are run, as a slow disk or a busy machine does. */
const SLOW_MODULES = `
  import { registerHooks } from 'node:module'
  const BLOCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12_000);'
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      return url.endsWith('/webhooks/webhooks.ts') ? { ...loaded, source: BLOCK + loaded.source } : loaded
    },
  })`

test('A start asks a PostgreSQL that is not there yet again for `DATABASE_WAIT_SECONDS`, with a line each time; the service’s unit then starts it again. Where only another setting helps it ends with 78 at once.', async () => {
  const file = join(folder, 'slow.mjs')
  await writeFile(file, SLOW_MODULES)
  const server = await startServer({
    env: {
      DATABASE_URL: await createServerDatabase({ migrated: false }),
      SECRET_KEY,
      DATABASE_WAIT_SECONDS: '0',
      NODE_OPTIONS: `--import=${file}`,
    },
  })
  onTestFinished(() => server.dispose())
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
}, 300_000)

test.each([
  { what: 'a wrong setting', env: { PORT: 'eighty' }, code: 78, says: 'PORT: must be a port number' },
  {
    what: 'a port in an option that is none',
    env: {},
    args: ['--port', 'eighty'],
    code: 78,
    says: 'PORT: must be a port number',
  },
  {
    what: 'a password that the server refuses',
    env: { DATABASE_URL: 'wrong' },
    code: 78,
    says: '(DATABASE_URL) refuses this user or password.',
  },
  {
    what: 'a database that is away for longer than it is waited for',
    env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', DATABASE_WAIT_SECONDS: '0' },
    code: 1,
    says: 'The database none at 127.0.0.1:9 (DATABASE_URL) refuses connections.',
  },
])(
  '$what ends a start with $code',
  async ({ env, args = [], code, says }) => {
    const refused = new URL(await createServerDatabase({ migrated: false }))
    refused.password = 'wrong'
    const settings = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === 'wrong' ? refused.href : value]),
    )
    const { child, output } = launch(settings, args)
    const [ended] = await once(child, 'exit')
    expect(output()).toContain(`Catenary did not start. ${says.startsWith('(') ? '' : says}`)
    expect(output()).toContain(says)
    expect(ended).toBe(code)
  },
  120_000,
)

test('Settings come from `--port`, `--host` and `--data`, the environment, `.env`, or a file that `NAME_FILE` names; a name that resembles a setting’s, and a proxy that is not used, are said once.', async () => {
  const [port, other] = [await freePort(), await freePort()]
  const args = ['--port', String(port), '--host', '127.0.0.1', '--data', join(folder, 'own')]
  const { output } = launch({ PORT: String(other), HOST: '0.0.0.0', DATA_DIR: join(folder, 'other') }, args)
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status
  await expect.poll(isReady, { timeout: 120_000, interval: 200 }).toBe(200)
  expect(output()).toContain(join(folder, 'own'))
  const { child, output: listed } = launch({}, ['list-settings', '--data', join(folder, 'third')])
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(listed()).toMatch(new RegExp(`^DATA_DIR +option +${join(folder, 'third')}$`, 'm'))
}, 300_000)
