import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { exitCodeOf, explainStartFailure } from '../../platform/start-failure.ts'
import { awaitServer } from '../server/await-server.ts'
import { openServer } from '../server/open-server.ts'
import { SERVER_FAILURES, ServerFailureError } from './server-failure.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** The address of something that listens, and does that with each connection. */
async function serve(meet: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    meet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `postgres://ada:secret@127.0.0.1:${(server.address() as AddressInfo).port}/letters`
}

/** As PostgreSQL refuses a connection, whatever it asks. */
const refusing =
  (code: string, message = 'in words of the server') =>
  (socket: Socket): void => {
    const fields = `SFATAL\0C${code}\0M${message}\0\0`
    const length = Buffer.alloc(4)
    length.writeInt32BE(4 + Buffer.byteLength(fields))
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)])))
  }

const open = (databaseUrl: string) =>
  openServer({ databaseUrl, connectionTimeoutMs: 300, log: undefined }).then(
    () => expect.unreachable('it opened'),
    (error: unknown) => error,
  )

const SQLSTATE = /^[0-9A-Z]{5}$/
const ofServer = SERVER_FAILURES.flatMap(({ codes, ...failure }) =>
  codes.filter((code) => SQLSTATE.test(code)).map((code) => ({ code, ...failure })),
)
const ofTheWay = SERVER_FAILURES.flatMap(({ codes, ...failure }) =>
  codes.filter((code) => !SQLSTATE.test(code)).map((code) => ({ code, ...failure })),
)

describe('what a server, or the way to it, refuses becomes a sentence that names where and the next step', () => {
  test.each(ofServer)('$code: the database $says', async ({ code, says, todo, passes }) => {
    const message = code === '42501' ? 'permission denied for database "letters"' : undefined
    const url = await serve(refusing(code, message))
    const error = await open(url)
    const place = `letters at ${new URL(url).host} (DATABASE_URL)`
    expect(explainStartFailure(error)).toBe(`The database ${place} ${says}. ${todo}`)
    expect(exitCodeOf(error)).toBe(passes ? 1 : 78)
  })

  test.each(ofTheWay)('$code, which no machine here can be made to do', ({ code, says, todo }) => {
    const error = Object.assign(new Error('raw'), { code })
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      expect(explainStartFailure(error)).toContain('can’t be found')
    else expect(explainStartFailure(error)).toBe(`The database at DATABASE_URL ${says}. ${todo}`)
  })

  test.each([
    {
      what: 'nothing listens',
      url: async () => 'postgres://ada@127.0.0.1:9/letters',
      says: 'refuses connections',
    },
    { what: 'silence', url: () => serve(() => {}), says: 'does not answer' },
    {
      what: 'a connection that ends at once',
      url: () => serve((socket) => socket.end()),
      says: 'ended the connection before it answered',
    },
    {
      what: 'a connection that is reset',
      url: () => serve((socket) => socket.once('data', () => socket.resetAndDestroy())),
      says: 'ended the connection before it answered',
    },
    {
      what: 'a name that nobody knows',
      url: async () => 'postgres://ada@no-such-host.invalid/letters',
      says: 'has a name that can’t be found',
    },
  ])('$what: $says', async ({ url, says }) => {
    const address = await url()
    const { hostname, port } = new URL(address)
    expect(explainStartFailure(await open(address))).toMatch(
      new RegExp(
        `^The database letters at ${hostname}:${port || 5432} \\(DATABASE_URL\\) ${says}\\. .+[.?]$`,
      ),
    )
  })

  test('Whatever a server, its certificate or the way to it refuses is one sentence with host, port, database and the next step; the guide has each.', () => {
    const guide = readFileSync(
      path.join(import.meta.dirname, '../../../../../docs/guide/when-something-goes-wrong.md'),
      'utf8',
    )
    for (const { says } of SERVER_FAILURES) expect(guide, says).toContain(says)
  })

  test('what no row knows ends like a sentence', () => {
    expect(explainStartFailure(new Error('the moon is full'))).toBe(
      'the moon is full. LOG_LEVEL=debug says where.',
    )
  })
})

describe('a start', () => {
  const said: string[] = []
  const hear = (_fields: object, message: string) => void said.push(message)
  const log = { info: hear, warn: hear, error: hear }
  const failing = (code: string) =>
    new ServerFailureError(
      'letters',
      SERVER_FAILURES.find(({ codes }) => codes.includes(code)) ?? expect.unreachable(code),
      undefined,
    )

  test('asks again while a wait may cure it, with a line each time', async () => {
    let tries = 0
    const opening = async () => {
      tries += 1
      if (tries < 3) throw failing('57P03')
      return 'open'
    }
    expect(await awaitServer({ open: opening, waitMs: 60_000, log })).toBe('open')
    expect(said.splice(0)).toEqual([
      'The database letters is starting up or shutting down. Wait until it accepts connections. Trying again for another 60 s',
      expect.stringMatching(/Trying again for another \d\d s$/),
    ])
  })

  test('gives up at the end of the wait, and at once where only a person cures it', async () => {
    const refusing = (code: string, waitMs: number) =>
      awaitServer({ open: () => Promise.reject(failing(code)), waitMs, log })
    await expect(refusing('ECONNREFUSED', 50)).rejects.toThrow('refuses connections')
    // How often it asks in that time is the machine's.
    expect(said.splice(0).length).toBeGreaterThan(0)
    await expect(refusing('28P01', 60_000)).rejects.toThrow('refuses this user or password')
    expect(said).toEqual([])
  })
})
