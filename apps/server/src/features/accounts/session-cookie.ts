import { createHmac, timingSafeEqual } from 'node:crypto'

interface SessionCookie {
  headers: Headers
  name: string
  secretKey: string
}

/** The session token that better-auth signed into the cookie; undefined when absent or not signed by this key. */
export function readSessionToken({ headers, name, secretKey }: SessionCookie): string | undefined {
  const value = findCookie({ header: headers.get('cookie') ?? '', name })
  const dot = value?.lastIndexOf('.') ?? -1
  if (value === undefined || dot < 1) return undefined
  const token = value.slice(0, dot)
  const signature = Buffer.from(value.slice(dot + 1), 'base64')
  const expected = createHmac('sha256', secretKey).update(token).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : undefined
}

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
