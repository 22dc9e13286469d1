import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All that is handed out to hosts of the internet; what lies outside is reserved, local or embeds another address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Is it an ordinary address of the public internet? Text that is no plain address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)
}

/** Ranges of machines and networks that people run themselves. */
const OWN_RANGES = new Set(['unicast', 'private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])
/** Where clouds keep the keys of their machines, apart from the link-local addresses. */
const METADATA = ['100.100.100.200', '192.0.0.192', 'fd00:ec2::254'].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
)

/** Is it an address of the internet, of this machine or of its network? No link-local one is, and none that embeds one. */
export function isOwnOrPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  return OWN_RANGES.has(parsed.range()) && !METADATA.includes(parsed.toNormalizedString())
}
