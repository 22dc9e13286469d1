import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isCloudService } from './cloud-services.ts'
import { OutboundError } from './outbound-error.ts'

export const CLOUD_REFUSAL = 'link-local addresses and cloud providers’ internal services are never called'

export function refuseCloudService(address: string | undefined): void {
  if (address !== undefined && isCloudService(address)) throw new OutboundError('blocked', CLOUD_REFUSAL)
}

/** Opens connections to addresses of the settings, wherever they lie but at clouds' own services. */
export function createOpenConnector(
  options: Omit<buildConnector.BuildOptions, 'lookup'> = { allowH2: false },
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: lookUpAllowed })
  return (call, callback) => {
    const host = call.hostname.replace(/^\[|\]$/g, '')
    try {
      if (isIP(host) !== 0) refuseCloudService(host)
    } catch (error) {
      callback(error as Error, null)
      return
    }
    connect(call, callback)
  }
}

/** The system's look-up: what it gives is what is connected to. */
const lookUpAllowed: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, found: string | LookupAddress[], family) => {
    if (error !== null) return callback(error, found, family)
    try {
      for (const address of addressesOf(found)) refuseCloudService(address)
    } catch (refusal) {
      return callback(refusal as Error, found, family)
    }
    callback(null, found, family)
  })
}

function addressesOf(found: string | LookupAddress[]): string[] {
  return typeof found === 'string' ? [found] : found.map(({ address }) => address)
}
