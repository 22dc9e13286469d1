import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../../platform/secrets/secret-key.ts'

interface SessionCookie {
  headers: Headers
  name: string
  keys: SecretKeys
}

/** The session token that better-auth signed into the cookie; undefined when absent or not signed by a known key. */
export function readSessionToken(cookie: SessionCookie): string | undefined {
  return readSigned(cookie)?.token
}

/** The value that the cookie has under the key of now, where the other one signed it; else undefined. */
export function signAnew({ headers, name, keys }: SessionCookie): string | undefined {
  const signed = readSigned({ headers, name, keys })
  if (signed === undefined || signed.by === keys.secretKey) return undefined
  const signature = sign(signed.token, keys.secretKey).toString('base64')
  return encodeURIComponent(`${signed.token}.${signature}`)
}

function readSigned({ headers, name, keys }: SessionCookie): { token: string; by: string } | undefined {
  const value = findCookie({ header: headers.get('cookie') ?? '', name })
  const dot = value?.lastIndexOf('.') ?? -1
  if (value === undefined || dot < 1) return undefined
  const token = value.slice(0, dot)
  const signature = Buffer.from(value.slice(dot + 1), 'base64')
  const { secretKey, secretKeyAlso = secretKey } = keys
  const by = [secretKey, secretKeyAlso].find((key) => isEqual(signature, sign(token, key)))
  return by === undefined ? undefined : { token, by }
}

const sign = (token: string, key: string): Buffer => createHmac('sha256', key).update(token).digest()

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

function findCookie({ header, name }: { header: string; name: string }): string | undefined {
  const start = `${name}=`
  const pair = header.split(';').find((part) => part.trimStart().startsWith(start))
  try {
    return pair && decodeURIComponent(pair.trim().slice(start.length))
  } catch {
    // A malformed escape is nothing that we wrote.
    return undefined
  }
}
