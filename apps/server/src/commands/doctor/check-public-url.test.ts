import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/harness.ts'
import { type LocalServer, serveHttp, serveHttps, serveSocket } from '../../testing/local-server.ts'
import { checkPort } from './check-program.ts'
import { checkPublicUrl } from './check-public-url.ts'

let app: TestApp
let port: number
const closing: LocalServer[] = []
beforeAll(async () => {
  app = await startApp({ settings: { trustProxy: 1 } })
  await app.app.start()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (app.http.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const server of closing.splice(0)) await server.close()
})
afterAll(() => app.close())

type Pass = (reply: { answer: IncomingMessage; response: ServerResponse }) => unknown

/** A proxy in front of the program; `pass` hands the answer on. */
async function proxied(pass: Pass, headers: Record<string, string> = {}, dropped = ''): Promise<string> {
  const server = await serveHttp((incoming, response) => {
    const forwarded = { 'x-forwarded-for': '192.0.2.1', ...headers }
    const { method = '', url = '' } = incoming
    const kept = Object.entries({ ...incoming.headers, ...forwarded }).filter(([name]) => name !== dropped)
    const call = request({ host: '127.0.0.1', port, path: url, method, headers: Object.fromEntries(kept) })
    call.on('response', (answer) => pass({ answer, response }))
    incoming.pipe(call)
  })
  closing.push(server)
  return `http://localhost:${server.port}`
}

const passOn: Pass = ({ answer, response }) => {
  response.writeHead(answer.statusCode ?? 0, answer.headers)
  answer.pipe(response)
}

async function check(publicUrl: string, { host = '127.0.0.1', trustProxy = 1, isRunning = true } = {}) {
  const { findings } = await checkPublicUrl({ publicUrl, host, trustProxy }, { isRunning })
  return findings.map(({ grade, text: said }) => `${grade}: ${said}`)
}

test('a proxy that passes all on is well', async () => {
  const url = await proxied(passOn)
  expect(await check(url)).toEqual([
    `ok: Catenary answers at ${url}`,
    expect.stringMatching(/^ok: Streams arrive as they are written: two events came [3-9]\d\d ms apart$/),
    'ok: The proxy sends visitors’ addresses, and TRUST_PROXY trusts it',
    'ok: The Authorization header, which programs use, arrives',
    'ok: The largest upload gets through',
  ])
})

test.each<{ how: string; pass: Pass }>([
  {
    how: 'waits for the end',
    pass: async ({ answer, response }) => {
      const body = await text(answer)
      response.writeHead(answer.statusCode ?? 0, answer.headers).end(body)
    },
  },
  {
    how: 'packs what it has waited for',
    pass: async ({ answer, response }) => {
      const body = gzipSync(await text(answer))
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(body)
    },
  },
])('one that $how is named', async ({ pass }) => {
  expect(await check(await proxied(pass))).toContainEqual(
    expect.stringMatching(/^problem: Something on the way holds streams back/),
  )
})

test('`doctor` names a proxy that buffers, redirects, renames, drops a header or blocks an upload, and an unknown certificate.', async () => {
  const findings = await check(
    await proxied(passOn, { 'x-forwarded-for': '192.0.2.1, 198.51.100.1' }, 'authorization'),
  )
  expect(findings).toContainEqual(
    expect.stringMatching(/^problem: The Authorization header.* does not arrive$/),
  )
  expect(findings).toContainEqual(expect.stringMatching(/^warning: 2 proxies send .* TRUST_PROXY trusts 1/))
  const direct = await check(`http://localhost:${port}`)
  expect(direct).toContainEqual(expect.stringMatching(/^warning: TRUST_PROXY trusts .* none came/))
})

test('one that lets no upload pass is named', async () => {
  const url = await proxied(({ answer, response }) => {
    if (answer.headers['content-type']?.startsWith('text/event-stream')) passOn({ answer, response })
    else response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>')
  })
  expect(await check(url)).toContain('problem: An upload of 4 MB does not get through (413)')
})

describe('what answers instead', () => {
  const answer = async (status: number, headers: Record<string, string>, body = '') => {
    const server = await serveHttp((_request, response) => void response.writeHead(status, headers).end(body))
    closing.push(server)
    return `http://localhost:${server.port}`
  }

  test.each([
    {
      status: 301,
      headers: { location: 'https://localhost/' },
      said: /^problem: .* redirects to https:\/\/localhost: cookies/,
    },
    {
      status: 302,
      headers: { location: 'http://login.example/' },
      said: /^problem: .* redirects to http:\/\/login\.example$/,
    },
    { status: 401, headers: {}, said: /^problem: .* has its own sign-in \(401\)$/ },
    { status: 502, headers: {}, said: /^problem: The proxy at .* does not reach Catenary \(502\)$/ },
    { status: 429, headers: {}, said: /^not asked: Catenary had too many requests/ },
    {
      status: 200,
      headers: { 'content-type': 'text/html' },
      said: /^problem: Something other than this Catenary answers at .* \(200, text\/html\)$/,
    },
  ])('$status $headers', async ({ status, headers, said }) => {
    expect(await check(await answer(status, headers as Record<string, string>))).toEqual([
      expect.stringMatching(said),
    ])
  })

  test('Catenary itself, asked by another name', async () => {
    expect(await check(await proxied(passOn, { host: 'other.example' }))).toEqual([
      expect.stringMatching(/^problem: .*does not know the address other\.example/),
    ])
  })

  test('an unknown certificate, an unknown name, silence, and nothing listening', async () => {
    const secured = await serveHttps((_request, response) => void response.end())
    const cut = await serveSocket((socket) => socket.destroy())
    closing.push(secured, cut)
    expect(await check(`https://localhost:${secured.port}`)).toEqual([
      expect.stringMatching(/^problem: The certificate of .* is not trusted/),
    ])
    expect(await check('https://no-such-name.invalid')).toEqual([
      expect.stringMatching(/^problem: The name no-such-name\.invalid can’t be found$/),
    ])
    expect(await check(`http://localhost:${cut.port}`)).toEqual([
      expect.stringMatching(/^problem: .* can’t be reached/),
    ])
    expect(await check(`http://localhost:${cut.port}`, { isRunning: false })).toEqual([
      expect.stringMatching(/^not asked: .*start Catenary, then check again$/),
    ])
  })
})

test('a program that the network reaches has an address that the network knows', async () => {
  expect(await check(`http://localhost:${port}`, { host: '0.0.0.0' })).toContainEqual(
    expect.stringMatching(/^warning: HOST is open to the network/),
  )
})

describe('the port', () => {
  const checkAt = async (at: { host?: string; port: number }) => {
    const { findings, isRunning } = await checkPort({ ...app.settings, host: '127.0.0.1', ...at })
    return { isRunning, said: findings.map(({ grade, text: said }) => `${grade}: ${said}`) }
  }

  test('with Catenary, with another program, free, and where it can’t listen', async () => {
    expect(await checkAt({ port })).toEqual({
      isRunning: true,
      said: [expect.stringMatching(/^ok: Catenary .* answers/), 'ok: It is ready: database, queue and disk'],
    })
    const other = await serveHttp((_request, response) => void response.end('{"status":"ok"}'))
    expect((await checkAt({ port: other.port })).said).toEqual([
      expect.stringMatching(/is in use by another program$/),
    ])
    await other.close()
    expect((await checkAt({ port: other.port })).said).toEqual([expect.stringMatching(/^ok: .* is free/)])
    expect((await checkAt({ host: '192.0.2.1', port: other.port })).said).toEqual([
      expect.stringMatching(/^problem: .*HOST is not an address of this machine/),
    ])
  })
})
