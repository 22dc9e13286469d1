import { afterEach, expect } from 'vitest'
import type { ResolvedAddress } from '../platform/outbound/name-resolver.ts'
import { createOutbound, OutboundError, type OutboundErrorCode } from '../platform/outbound/outbound.ts'
import type { LocalServer } from './local-server.ts'

export const LOOPBACK: ResolvedAddress = { address: '127.0.0.1', family: 4 }
const PUBLIC: ResolvedAddress = { address: '93.184.216.34', family: 4 }

const names: Record<string, ResolvedAddress[]> = {
  'local.test': [LOOPBACK],
  'secure.test': [LOOPBACK],
  'private.test': [{ address: '10.0.0.7', family: 4 }],
  'mapped.test': [{ address: '::ffff:a9fe:a9fe', family: 6 }],
  'mixed.test': [PUBLIC, LOOPBACK],
  'zone.test': [{ address: 'fe80::1%lo', family: 6 }],
  'nothing.test': [],
}

async function resolve(hostname: string): Promise<ResolvedAddress[]> {
  const addresses = hostname === 'rebinding.test' ? [rebinding()] : names[hostname]
  if (addresses === undefined) throw Object.assign(new Error(`secret ${hostname}`), { code: 'ENOTFOUND' })
  return addresses
}

/** Public when it is checked and loopback when it is used. */
function rebinding(): ResolvedAddress {
  let asked = 0
  return {
    family: 4,
    get address() {
      asked += 1
      return asked === 1 ? PUBLIC.address : LOOPBACK.address
    },
  }
}

/** Matches an OutboundError. */
export function outboundError(code: OutboundErrorCode, message: string | RegExp = /./): unknown {
  return expect.objectContaining({
    name: OutboundError.name,
    code,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
}

export const BLOCKED = outboundError(
  'blocked',
  'This address is not allowed: it is not on the public internet',
)

/** Guards with names of their own, and servers; both end with the test. */
export function setUpOutbound() {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  return {
    outboundTo: (...allowHosts: string[]) => {
      const outbound = createOutbound({ allowHosts, resolve })
      ends.push(outbound.close)
      return outbound
    },
    started: async (starting: Promise<LocalServer>) => {
      const server = await starting
      ends.push(server.close)
      return server
    },
  }
}
