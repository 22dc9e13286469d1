import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

const SECRET_BYTES = 32
const ID_BYTES = 18

export const contextOf = ({ id, userId }: { id: number; userId: number }): string =>
  JSON.stringify(['webhook secret', id, userId])

/** In the form of Standard Webhooks. */
export const mintSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Random: ids of rows come again in a restored copy, and receivers take a known id for a repeat. */
export const mintMessageId = (): string => `msg_${randomBytes(ID_BYTES).toString('base64url')}`

interface Signed {
  webhook: {
    id: number
    userId: number
    sealedSecret: string
    sealedFormers: Record<string, string>
  }
  messageId: string
  body: string
  now: Date
}

/** The headers of a message, signed by each secret that counts now; undefined where none opens. */
export function signMessage(
  secrets: SecretBox,
  { webhook, messageId, body, now }: Signed,
): Record<string, string> | undefined {
  const context = contextOf(webhook)
  const former = Object.entries(webhook.sealedFormers).filter(([until]) => new Date(until) > now)
  const opened = [webhook.sealedSecret, ...former.map(([, sealed]) => sealed)].flatMap(
    (sealed) => secrets.openOptional({ sealed, context }) ?? [],
  )
  if (opened.length === 0) return undefined
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': opened.map((secret) => new Webhook(secret).sign(messageId, now, body)).join(' '),
  }
}
