import { describe, expect, test } from 'vitest'
import { CLOUD_HOSTS } from '../../testing/hostile-network/hostile-hosts.ts'
import { outboundError } from '../../testing/outbound.ts'
import { createProviderPools } from '../models/provider-reply.ts'
import { askOwnAddress } from './ask-own-address.ts'
import { askServer } from './ask-server.ts'
import { CLOUD_SERVICES, isCloudService } from './cloud-services.ts'
import { createOutbound } from './outbound.ts'
import { refusalOfAddress } from './pool-connector.ts'
import { isOwnOrPublicAddress, isPublicAddress } from './public-address.ts'
import { createServiceClient } from './service-client.ts'

const NEVER = outboundError(
  'blocked',
  /^link-local addresses and cloud providers’ internal services are never/,
)
const ANY = outboundError('blocked')
const bare = (host: string) => host.replace(/^\[|\]$/g, '')
const signal = AbortSignal.timeout(60_000)

/** Everything that opens a connection; what a person or a setting allowed does not count. */
const WAYS: Record<string, (url: URL) => Promise<unknown>> = {
  'text of an address': ({ href: url }) => createOutbound({ allowHosts: [] }).fetchText({ url }),
  'text of an allowed host': ({ href: url, host }) =>
    createOutbound({ allowHosts: [host] }).fetchText({ url }),
  'bytes of an allowed host': ({ href: url, host }) =>
    createOutbound({ allowHosts: [host] }).fetchBytes({ url, maxBytes: 1 }),
  'a message to an allowed host': ({ href: url, host }) =>
    createOutbound({ allowHosts: [host] }).post({ url, body: '' }),
  'a name that leads there': ({ hostname }) => {
    const address = bare(hostname)
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    return createOutbound({ allowHosts: ['named.test'], resolve }).fetchText({ url: 'http://named.test/' })
  },
  'a model on the internet': ({ origin }) => asked(origin, 'public'),
  'a model on this network': ({ origin }) => asked(origin, 'own'),
  'a model of the settings': ({ origin }) => asked(origin, 'any'),
  'a service of the settings': (url) => createServiceClient().call({ url, signal, maxBytes: 1 }),
  'another Catenary': (url) => askServer({ url, token: '', timeoutMs: 60_000, maxBytes: 1 }),
  'this program': (url) => askOwnAddress({ url, timeoutMs: 60_000 }),
}

function asked(origin: string, reach: 'public' | 'own' | 'any') {
  return createProviderPools().of(origin, reach).request({ method: 'GET', path: '/', signal })
}

describe.each(CLOUD_HOSTS)('%s, where a cloud answers its own machines', (host) => {
  test('Link-local addresses and those at which clouds answer their own machines are asked by nothing, in no spelling.', () => {
    for (const address of [bare(host), ...spellingsOf(bare(host))]) {
      expect(isCloudService(address), address).toBe(true)
      expect(isPublicAddress(address), address).toBe(false)
      expect(isOwnOrPublicAddress(address), address).toBe(false)
    }
    for (const reach of ['public', 'own'] as const)
      expect(refusalOfAddress(`http://${host}/v1`, reach)).toMatch(/never called/)
  })

  test.each(Object.keys(WAYS))('is not asked for %s', async (way) => {
    const isOpenTo = !['text of an address'].includes(way)
    for (const protocol of ['http:', 'https:'])
      await expect(WAYS[way]?.(new URL(`${protocol}//${host}/`)), protocol).rejects.toEqual(
        isOpenTo ? NEVER : ANY,
      )
  })
})

/** Each address with which a network may reach it. */
function spellingsOf(address: string): string[] {
  if (address.includes(':')) return [new URL(`http://[${address}]`).hostname.slice(1, -1).toUpperCase()]
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16)
  const words = `${hex(a, b)}:${hex(c, d)}`
  const flipped = `${hex(a ^ 255, b ^ 255)}:${hex(c ^ 255, d ^ 255)}`
  return [
    ...[`::ffff:${address}`, `::ffff:${words}`, `::${words}`, `::ffff:0:${words}`, `64:ff9b::${words}`],
    ...[`64:ff9b:1::${words}`, `2002:${words}::1`, `2001:0:${words}::1`, `2001::${flipped}`],
  ]
}

test('neighbours are addresses like others', () => {
  for (const address of ['168.63.129.15', '100.100.100.199', 'fd00:ec3::1', '192.0.0.191', '::1', '1.1.1.1'])
    expect(isCloudService(address), address).toBe(false)
})

test('each says where it is documented', () => {
  for (const { source, what } of CLOUD_SERVICES) {
    expect(source).toMatch(/\w\.\w|RFC/)
    expect(what).not.toBe('')
  }
})
