import type { buildConnector } from 'undici'
import { createGuardedConnector } from './guarded-connector.ts'
import { createNameResolver } from './name-resolver.ts'
import { isOwnOrPublicAddress, isPublicAddress } from './public-address.ts'

/** Where an address that an administrator saved may lead. */
export type Reach = 'public' | 'own'

const CONNECT_MS = 10_000

const REFUSALS: Record<Reach, string> = {
  public: 'it lies on this machine or network, which an administrator must allow',
  own: 'link-local addresses and those of clouds’ metadata are never asked',
}

/** Opens the connections of a pool that is kept: each address is checked as the guard checks those of fetches. */
export function createPoolConnector(reach: Reach): buildConnector.connector {
  const resolve = createNameResolver()
  const isAllowed = reach === 'own'
  const mayReach = isAllowed ? isOwnOrPublicAddress : isPublicAddress
  const refusalOf = (address: string | undefined) => {
    if (address !== undefined && mayReach(address)) return undefined
    return REFUSALS[address !== undefined && isOwnOrPublicAddress(address) ? reach : 'own']
  }
  return (options, callback) => {
    const signal = AbortSignal.timeout(CONNECT_MS)
    createGuardedConnector({ resolve, isAllowed, signal, refusalOf })(options, callback)
  }
}
