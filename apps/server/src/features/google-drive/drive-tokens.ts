import type { SecretBox } from '../../platform/secrets/secret-box.ts'

export interface Tokens {
  accessToken: string
  refreshToken: string
}

/** Sealed for their person: nothing else can open them. */
export function sealTokens(
  secrets: SecretBox,
  { userId, accessToken, refreshToken }: Tokens & { userId: number },
): Tokens {
  return {
    accessToken: secrets.seal({ text: accessToken, context: contextOf(userId, 'accessToken') }),
    refreshToken: secrets.seal({ text: refreshToken, context: contextOf(userId, 'refreshToken') }),
  }
}

export function openOptionalTokens(
  secrets: SecretBox,
  { userId, stored }: { userId: number; stored: Tokens },
): Tokens | undefined {
  const openOne = (token: keyof Tokens) =>
    secrets.openOptional({ sealed: stored[token], context: contextOf(userId, token) })
  const [accessToken, refreshToken] = [openOne('accessToken'), openOne('refreshToken')]
  return accessToken === undefined || refreshToken === undefined ? undefined : { accessToken, refreshToken }
}

export function contextOf(userId: number, token: keyof Tokens): string {
  return `google-drive/${userId}/${token}`
}
