import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const KEY_PURPOSE = 'catenary/stored-secrets/v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A stored secret that this key did not seal for this place, or that was changed since. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError'
}

export interface SecretBox {
  /** Encrypts `text`; it opens only with the same `context`, which names the place where it is kept. */
  seal(secret: { text: string; context: string }): string
  /** Throws SecretBoxError for what was not sealed with this key and context. */
  open(stored: Stored): string
  /** Undefined for what was not sealed with this key and context, as after the key was lost. */
  openOptional(stored: Stored): string | undefined
}

interface Stored {
  sealed: string
  context: string
}

/** Encrypts stored secrets under a key derived from SECRET_KEY. */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', KEY_PURPOSE, KEY_BYTES))

  const box: SecretBox = {
    seal({ text, context }) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`
    },

    open({ sealed, context }) {
      const [version, body, ...rest] = sealed.split('.')
      const bytes = Buffer.from(body ?? '', 'base64url')
      if (version !== VERSION || rest.length > 0 || bytes.length < NONCE_BYTES + TAG_BYTES) {
        throw new SecretBoxError('This is not a sealed secret')
      }
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        throw new SecretBoxError(
          'The sealed secret does not open: another key, another place, or it was changed',
        )
      }
    },

    openOptional(stored) {
      try {
        return box.open(stored)
      } catch (error) {
        if (error instanceof SecretBoxError) return undefined
        throw error
      }
    },
  }
  return box
}
