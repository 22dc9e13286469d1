import { isIP } from 'node:net'
import type { buildConnector } from 'undici'
import { createGuardedConnector } from './guarded-connector.ts'
import { createNameResolver } from './name-resolver.ts'
import { CLOUD_REFUSAL } from './open-connector.ts'
import { isOwnOrPublicAddress, isPublicAddress } from './public-address.ts'

export type Reach = 'public' | 'own'

/** For names that stand for this machine on every system. */
const LOOPBACK_NAME = /^(.+\.)?localhost\.?$/i

const CONNECT_MS = 10_000

const REFUSALS: Record<Reach, string> = {
  public: 'it is on this machine or network, which an administrator must allow',
  own: CLOUD_REFUSAL,
}

/** Why an address can't be saved; undefined where only its connections will show where it leads. */
export function refusalOfAddress(address: string, reach: Reach): string | undefined {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  const literal = LOOPBACK_NAME.test(host) ? '127.0.0.1' : host
  return isIP(literal) === 0 ? undefined : refusalOf(literal, reach)
}

function refusalOf(address: string | undefined, reach: Reach): string | undefined {
  const mayReach = reach === 'own' ? isOwnOrPublicAddress : isPublicAddress
  if (address !== undefined && mayReach(address)) return undefined
  return REFUSALS[address !== undefined && isOwnOrPublicAddress(address) ? reach : 'own']
}

/** Opens the connections of a pool that is kept: each address is checked as the guard checks those of fetches. */
export function createPoolConnector(reach: Reach): buildConnector.connector {
  const resolve = createNameResolver()
  const isAllowed = reach === 'own'
  return (options, callback) => {
    const signal = AbortSignal.timeout(CONNECT_MS)
    createGuardedConnector({
      resolve,
      isAllowed,
      signal,
      refusalOf: (address) => refusalOf(address, reach),
    })(options, callback)
  }
}
