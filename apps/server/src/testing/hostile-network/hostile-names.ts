import { createNameResolver, type ResolveName } from '../../platform/outbound/name-resolver.ts'

/** An ordinary address of the public internet. */
export const PUBLIC_ADDRESS = '93.184.216.34'
/** Public when it is first looked up and loopback ever after. */
export const REBINDING_NAME = 'rebinding.test'
const NAMED = '.named.test'

/** The URL of a name whose address is that of the given URL. */
export function toNamedUrl(url: string): string {
  const address = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return `http://${Buffer.from(address).toString('hex')}${NAMED}/`
}

/** Looks up the names of the tries, and any other as usual. */
export function createHostileNames(): ResolveName {
  const resolve = createNameResolver()
  let rebindings = 0
  return async (name, options) => {
    if (name === 'wiki.internal') return [toAddress('10.0.0.7')]
    if (name === REBINDING_NAME) {
      rebindings += 1
      return [toAddress(rebindings === 1 ? PUBLIC_ADDRESS : '127.0.0.1')]
    }
    if (!name.endsWith(NAMED)) return await resolve(name, options)
    return [toAddress(Buffer.from(name.slice(0, -NAMED.length), 'hex').toString())]
  }
}

function toAddress(address: string) {
  return { address, family: address.includes(':') ? 6 : 4 }
}
