import { HOOK_SIGNATURE_HEADERS, HOOK_TEXTS, type hookSettings, type TokenType } from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { secretContextOf } from './token-value.ts'
import type { TokenFields, TokenRow } from './tokens.sql.ts'

export type HookSettings = { [Name in keyof typeof hookSettings]?: z.output<(typeof hookSettings)[Name]> }

type Changed = Pick<TokenRow, 'id' | 'createdBy'> & Partial<Pick<TokenRow, 'signature' | 'sealedSecret'>>

/** What is absent stays as it is, a secret that was set before included. */
export function hookColumns(
  { secrets, now }: Context,
  { token, fields: { signature, deliveryHeader } }: { token: Changed; fields: HookSettings },
): TokenFields {
  const named = deliveryHeader === undefined ? {} : { deliveryHeader }
  if (signature === undefined) return named
  if (signature === null) return { ...named, signature: null, sealedSecret: null }
  const { form, header = HOOK_SIGNATURE_HEADERS[form], secret } = signature
  const before = token.signature ?? null
  if (secret === undefined && (before === null || !token.sealedSecret))
    throw new AppError('invalid', HOOK_TEXTS.newSecret)
  const setAt = secret === undefined && before ? before.setAt : now().toISOString()
  const sealed = secret && { sealedSecret: secrets.seal({ text: secret, context: secretContextOf(token) }) }
  return { ...named, signature: { form, header, setAt }, ...sealed }
}

/** Throws `invalid` where a token that has no address is to have what an address has. */
export function requireHookSettings(kind: TokenType, { signature, deliveryHeader }: HookSettings): void {
  if (kind !== 'hook' && (signature ?? deliveryHeader) != null)
    throw new AppError('invalid', HOOK_TEXTS.settings)
}
