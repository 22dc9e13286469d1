import { createHmac, timingSafeEqual } from 'node:crypto'
import { HOOK_TEXTS, HOOK_TOLERANCE_SECONDS, type HookSignatureForm } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'

interface Signed {
  form: HookSignatureForm
  /** As the header has it. */
  sent: string | undefined
  secret: string
  body: Buffer
  now: Date
}

const GITHUB = /^sha256=([0-9a-f]{64})$/i
const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[A-Za-z0-9+/]{43}=$/
const TIME = /^\d{1,12}$/

/** Throws `unauthenticated` unless who sent the body knows the secret. */
export function checkSignature({ form, sent, ...signed }: Signed): void {
  if (sent === undefined || sent === '') throw new AppError('unauthenticated', HOOK_TEXTS.unsigned)
  if (!CHECKS[form]({ sent: sent.trim(), ...signed }))
    throw new AppError('unauthenticated', HOOK_TEXTS.wrongSignature)
}

type Check = (signed: Omit<Signed, 'form' | 'sent'> & { sent: string }) => boolean

const CHECKS: Record<HookSignatureForm, Check> = {
  github: ({ sent, secret, body }) => isSame(GITHUB.exec(sent)?.[1], hmac(secret, body)),

  stripe({ sent, secret, body, now }) {
    const parts = sent.split(',').map((part) => part.trim().split('=', 2))
    const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []))
    const [time = ''] = valuesOf('t')
    if (!TIME.test(time)) return false
    const expected = hmac(secret, Buffer.concat([Buffer.from(`${time}.`), body]))
    const matches = valuesOf('v1').filter((each) => isSame(HEX.exec(each)?.[0], expected))
    if (matches.length === 0) return false
    if (Math.abs(now.getTime() / 1000 - Number(time)) > HOOK_TOLERANCE_SECONDS)
      throw new AppError('unauthenticated', HOOK_TEXTS.oldSignature)
    return true
  },

  plain({ sent, secret, body }) {
    const expected = hmac(secret, body)
    if (BASE64.test(sent)) return timingSafeEqual(Buffer.from(sent, 'base64'), expected)
    return isSame(HEX.exec(sent)?.[0], expected)
  },
}

const hmac = (secret: string, body: Buffer): Buffer => createHmac('sha256', secret).update(body).digest()

const isSame = (hex: string | undefined, expected: Buffer): boolean =>
  hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)
