import { createHmac } from 'node:crypto'
import type { SecretKeys } from '../../platform/secrets/secret-key.ts'

const LETTERS = 2
const DIGITS = 8

/**
 * A name that somebody typed and no account has: people type passwords there. Equal names are equal until the secret key
 * is changed, and nobody without the key can try whether it was one that they guess.
 */
export function maskTypedName({ secretKey }: Pick<SecretKeys, 'secretKey'>, typed: string): string {
  const name = typed.trim().toLowerCase()
  const digest = createHmac('sha256', secretKey).update(`typed name: ${name}`).digest('hex')
  return `${[...name].slice(0, LETTERS).join('')}… ${digest.slice(0, DIGITS)}…`
}
