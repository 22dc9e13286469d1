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
