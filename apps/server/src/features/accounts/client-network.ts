import { isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const IPV6_GROUPS = 8
const NETWORK_GROUPS = 4

/** Whom a limit by address counts: an IPv4 address, or an IPv6 network of 64 bits, as one person has all of it. */
export function toClientNetwork(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  // The URL parser has one spelling for each address, without leading zeros and embedded IPv4.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head.split(':').filter((group) => group !== '')
  const right = tail?.split(':').filter((group) => group !== '') ?? []
  const zeros = Array<string>(IPV6_GROUPS - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':')}::/64`
}
