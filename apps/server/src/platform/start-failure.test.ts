import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../database/open/client.ts'
import { StartError } from '../errors.ts'
import { createServerDatabase } from '../testing/database.ts'
import { explainStartFailure } from './start-failure.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const listen = (port: number, host: string) =>
  new Promise<never>((_, reject) => {
    const server = createServer().on('error', reject).listen(port, host)
    servers.push(server)
  })

async function connect(change: (url: URL) => void): Promise<never> {
  const url = new URL(await createServerDatabase({ migrated: false }))
  change(url)
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', fsync: true })
  try {
    await database.pool.query('select 1')
  } finally {
    await database.close()
  }
  throw new Error('it connected')
}

function inFile(): Promise<unknown> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'catenary-start-')), 'file')
  writeFileSync(file, '')
  return openDatabase({ dataDir: path.join(file, 'data'), fsync: true })
}

/** Like a machine that is out of memory. */
async function killInitdb(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'catenary-start-'))
  const opened = openDatabase({ dataDir, fsync: false })
  const killed = vi.waitFor(
    () => {
      const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
      const own = lines.find(
        (line) => line.includes('initdb.ts') && line.trim().split(/\s+/)[1] === `${process.pid}`,
      )
      process.kill(Number(own?.trim().split(/\s+/)[0]), 'SIGKILL')
    },
    { interval: 50 },
  )
  await Promise.all([opened.then(({ close }) => close()), killed]).finally(() =>
    rmSync(dataDir, { recursive: true, force: true }),
  )
}

test.each([
  {
    what: 'a machine without the memory for a first start',
    fail: killInitdb,
    says: /^There is not enough memory .* 640 MB/,
  },
  {
    what: 'an address of another machine',
    fail: () => listen(0, '192.0.2.1'),
    says: /^HOST is not an address/,
  },
  { what: 'a file as data directory', fail: inFile, says: /^DATA_DIR is not a directory/ },
  {
    what: 'a database that does not run',
    fail: () => connect((url) => Object.assign(url, { port: '9' })),
    says: /^The database \S+ at 127\.0\.0\.1:9 \(DATABASE_URL\) refuses connections/,
  },
  {
    what: 'a wrong password',
    fail: () => connect((url) => Object.assign(url, { password: 'wrong' })),
    says: /^The database \S+ at \S+ \(DATABASE_URL\) refuses this user or password/,
  },
  {
    what: 'a database that is not there',
    fail: () => connect((url) => Object.assign(url, { pathname: '/nowhere' })),
    says: /^The database nowhere at \S+ \(DATABASE_URL\) does not exist/,
  },
  {
    what: 'a name that nobody knows',
    fail: () => connect((url) => Object.assign(url, { hostname: 'no-such-host.invalid' })),
    says: /at no-such-host\.invalid:\d+ \(DATABASE_URL\) has a name that can’t be found/,
  },
])('$what is explained in one line', async ({ fail, says }) => {
  const error = await fail().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(Error)
  expect(explainStartFailure(error)).toMatch(says)
  expect(explainStartFailure(error)).not.toContain('\n')
})

test.each([
  { error: Object.assign(new Error('listen'), { code: 'EADDRINUSE' }), says: /^The port is in use/ },
  {
    error: Object.assign(new Error('denied'), { code: 'EACCES', syscall: 'listen' }),
    says: /^This port is reserved for administrators/,
  },
  {
    error: Object.assign(new Error('denied'), { code: 'EACCES', path: '/srv/data' }),
    says: /^This user has no access to \/srv\/data/,
  },
  { error: Object.assign(new Error('write'), { code: 'ENOSPC' }), says: /^The disk is full/ },
  {
    error: new StartError('It can’t be opened', { cause: new Error('PANIC: No space left on device') }),
    says: /^The disk is full/,
  },
  {
    error: Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' }),
    says: /^The database at DATABASE_URL is read-only/,
  },
  {
    error: new StartError('It can’t be made', {
      cause: new Error('Worker terminated: JS heap out of memory'),
    }),
    says: /^There is not enough memory .* 640 MB/,
  },
  { error: new StartError('One.\n    at two'), says: /^One\.$/ },
  { error: new TypeError('x is not a function\n    at y'), says: /^x is not a function\. LOG_LEVEL=debug/ },
  { error: 'a word', says: /^a word\. LOG_LEVEL=debug/ },
])('what no machine here can be made to do is explained too: $says', ({ error, says }) => {
  expect(explainStartFailure(error)).toMatch(says)
  expect(explainStartFailure(error)).not.toContain('\n')
})
