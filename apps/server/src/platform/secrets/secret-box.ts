import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
/** `v2.<key id>.<body>`; the first form, `v1.<body>`, did not name its key. */
const [UNNAMED, NAMED] = ['v1', 'v2'] as const
const SEALING_PURPOSE = 'catenary/stored-secrets/v1'
const FINGERPRINT_PURPOSE = 'catenary/key-fingerprint/v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_DIGITS = 8

/** A stored secret that no known key sealed for this place, or that was changed since. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError'
}

export interface SecretBox {
  seal(secret: { text: string; context: string }): string
  /** Throws SecretBoxError for what was not sealed with a known key and this context. */
  open(stored: Stored): string
  /** Undefined for what was not sealed with a known key and this context, as after the key was lost. */
  openOptional(stored: Stored): string | undefined
  /** The same under the key that seals now, and unchanged where it is already; undefined where it does not open. */
  sealAnew(stored: Stored): string | undefined
}

interface Stored {
  sealed: string
  context: string
}

/** By which a key is known without telling what it is: 64 hexadecimal digits. */
export function keyFingerprint(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', FINGERPRINT_PURPOSE, KEY_BYTES)).toString('hex')
}

export const keyIdOf = (secretKey: string): string => keyFingerprint(secretKey).slice(0, ID_DIGITS)

/** Encrypts stored secrets under a key derived from SECRET_KEY; opens also what the other key sealed, if there is one. */
export function createSecretBox(secretKey: string, secretKeyAlso?: string | undefined): SecretBox {
  const current = toSealingKey(secretKey)
  const keys = secretKeyAlso === undefined ? [current] : [current, toSealingKey(secretKeyAlso)]

  const box: SecretBox = {
    seal({ text, context }) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const body = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
      return `${NAMED}.${current.id}.${body}`
    },

    open({ sealed, context }) {
      const { keyId, bytes } = readSealed(sealed)
      for (const { id, key } of keys) {
        const text = keyId === undefined || keyId === id ? decrypt({ key, bytes, context }) : undefined
        if (text !== undefined) return text
      }
      throw new SecretBoxError(
        'The sealed secret does not open: another key, another place, or it was changed',
      )
    },

    openOptional(stored) {
      try {
        return box.open(stored)
      } catch (error) {
        if (error instanceof SecretBoxError) return undefined
        throw error
      }
    },

    sealAnew(stored) {
      const text = box.openOptional(stored)
      if (text === undefined) return undefined
      const isCurrent = stored.sealed.startsWith(`${NAMED}.${current.id}.`)
      return isCurrent ? stored.sealed : box.seal({ text, context: stored.context })
    },
  }
  return box
}

function toSealingKey(secretKey: string): { id: string; key: Buffer } {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', SEALING_PURPOSE, KEY_BYTES))
  return { id: keyIdOf(secretKey), key }
}

function readSealed(sealed: string): { keyId: string | undefined; bytes: Buffer } {
  const parts = sealed.split('.')
  const [version, second = '', third = ''] = parts
  const keyId = version === NAMED ? second : undefined
  const bytes = Buffer.from(version === NAMED ? third : second, 'base64url')
  const isWhole = (version === NAMED && parts.length === 3) || (version === UNNAMED && parts.length === 2)
  if (!isWhole || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new SecretBoxError('This is not a sealed secret')
  }
  return { keyId, bytes }
}

function decrypt({ key, bytes, context }: { key: Buffer; bytes: Buffer; context: string }) {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
