import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isCloudService } from './cloud-services.ts'

/** All that is handed out to hosts of the internet; what lies outside is reserved, local or embeds another address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Is it an ordinary address of the public internet? Text that is no plain address is not. */
export function isPublicAddress(address: string): boolean {
  if (!isPlain(address) || isCloudService(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)
}

const OWN_RANGES = new Set(['unicast', 'private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** Is it an address of the internet, of this machine or of its network? No link-local one is, and none that embeds one. */
export function isOwnOrPublicAddress(address: string): boolean {
  if (!isPlain(address) || isCloudService(address)) return false
  return OWN_RANGES.has(ipaddr.process(address).range())
}

function isPlain(address: string): boolean {
  return isIP(address) !== 0 && !address.includes('%')
}
