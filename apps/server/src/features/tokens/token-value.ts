import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_MARKS, TOKEN_PREFIX_LENGTH, type TokenType } from '@catenary/contracts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 40
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(
  `^(${Object.values(TOKEN_MARKS).join('|')})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
)

/** A new value: mark, 40 random characters, and 6 that tell a mistyped one without a look-up (D37). */
export function mintTokenValue(type: TokenType): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  const body = TOKEN_MARKS[type] + random
  return body + checksumOf(body)
}

export function isTokenValue(value: string): boolean {
  return FORM.test(value) && value.endsWith(checksumOf(value.slice(0, -CHECKSUM_LENGTH)))
}

export const hashOf = (value: string): string => createHash('sha256').update(value).digest('base64')

export const prefixOf = (value: string): string => value.slice(0, TOKEN_PREFIX_LENGTH)

function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  while (text.length < CHECKSUM_LENGTH) {
    text = `${DIGITS[rest % DIGITS.length]}${text}`
    rest = Math.floor(rest / DIGITS.length)
  }
  return text
}

export const sealContextOf = ({
  id,
  createdBy,
  kind,
}: {
  id: number
  createdBy: number
  kind: string
}): string => JSON.stringify(['api token', id, createdBy, kind])

/** Of the secret that callers of its address sign with. */
export const secretContextOf = ({ id, createdBy }: { id: number; createdBy: number }): string =>
  JSON.stringify(['hook secret', id, createdBy])
