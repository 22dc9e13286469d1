import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDataDirectory } from '../../testing/database.ts'
import { type NameServer, serveNames } from '../../testing/name-server.ts'
import { outboundError } from '../../testing/outbound.ts'
import { createNameResolver } from './name-resolver.ts'
import { createOutbound } from './outbound.ts'

const IPV6 = '2606:4700:0:0:0:0:0:1111'
const NAMES: Record<string, string[] | 'silence'> = {
  'both.test': ['93.184.216.34', '93.184.216.35', IPV6],
  'four.test': ['93.184.216.34'],
  'six.test': [IPV6],
  'empty.test': [],
  'private.test': ['10.0.0.7'],
  'silent.test': 'silence',
}

describe('names', () => {
  let nameServer: NameServer
  let hostsFile: string
  beforeAll(async () => {
    nameServer = await serveNames((name) => NAMES[name] ?? 'unknown')
    hostsFile = path.join(await createDataDirectory(), 'hosts')
    await writeFile(hostsFile, '# here\n10.0.0.5\tWiki.internal wiki # ours\nnonsense wiki\n\nfd00::5 wiki\n')
  })
  afterAll(() => nameServer.close())

  const resolve = (
    hostname: string,
    { signal = new AbortController().signal, isAllowed = false, servers = [nameServer.server] } = {},
  ) => createNameResolver({ servers, hostsFile })(hostname, { signal, isAllowed })
  const addressesOf = async (hostname: string) => (await resolve(hostname)).map(({ address }) => address)

  test('both kinds of addresses are found', async () => {
    expect(await resolve('both.test')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '93.184.216.35', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await addressesOf('four.test')).toEqual(['93.184.216.34'])
    expect(await addressesOf('six.test')).toEqual(['2606:4700::1111'])
  })

  test('a name without an address is not found, as an unknown one', async () => {
    for (const name of ['empty.test', 'unknown.test', `${'x'.repeat(300)}.test`]) {
      await expect(resolve(name), name).rejects.toMatchObject({ code: 'ENOTFOUND' })
    }
  })

  test('a missing server is told from a missing name', async () => {
    const nobody = await serveNames(() => 'silence')
    await nobody.close()
    const asked = resolve('four.test', { servers: [nobody.server] })
    await expect(asked).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  })

  test.each([
    ['wiki.internal', ['10.0.0.5']],
    ['WIKI', ['10.0.0.5', 'fd00::5']],
    ['wiki.', ['10.0.0.5', 'fd00::5']],
    ['localhost', ['127.0.0.1', '::1']],
    ['any.LOCALHOST', ['127.0.0.1', '::1']],
  ])('%s is known without asking', async (name, addresses) => {
    const before = nameServer.asked.length
    expect(await addressesOf(name)).toEqual(addresses)
    expect(nameServer.asked).toHaveLength(before)
  })

  test('what the server does not know, the system is asked for hosts of the settings alone', async () => {
    // An address is the one name that every system knows.
    expect(await resolve('127.0.0.9', { isAllowed: true })).toEqual([{ address: '127.0.0.9', family: 4 }])
    await expect(resolve('127.0.0.9')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('a look-up that nobody answers ends at once when it is no longer wanted', async () => {
    const stop = new AbortController()
    const before = nameServer.asked.length
    const asked = resolve('silent.test', { signal: stop.signal })
    asked.catch(() => {})
    await vi.waitFor(() => expect(nameServer.asked.length).toBe(before + 2))
    stop.abort()
    await expect(asked).rejects.toThrow()
    // Neither is it asked a second time.
    expect(nameServer.asked.length).toBe(before + 2)
    await expect(resolve('silent.test', { signal: stop.signal })).rejects.toThrow()
    expect(nameServer.asked.length).toBe(before + 2)
  })

  test('the guard checks what was found', async () => {
    const outbound = createOutbound({
      allowHosts: [],
      resolve: createNameResolver({ servers: [nameServer.server] }),
    })
    for (const name of ['private.test', 'localhost']) {
      const fetched = outbound.fetchText({ url: `http://${name}/` })
      await expect(fetched).rejects.toEqual(outboundError('blocked'))
    }
    const unknown = outbound.fetchText({ url: 'http://unknown.test/' })
    await expect(unknown).rejects.toEqual(
      outboundError('unreachable', 'The name of the address could not be found'),
    )
  })
})
