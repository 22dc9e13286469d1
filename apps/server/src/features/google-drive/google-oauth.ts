import { createHash } from 'node:crypto'
import * as z from 'zod'
import { connectionEnded, googleFailed } from './drive-errors.ts'
import { type CallGoogle, type GoogleSettings, readJson } from './google-client.ts'

export const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
/** What Google's access tokens live when it does not say. */
const DEFAULT_LIFE_S = 3600

const tokenReply = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
})
const errorReply = z.object({ error: z.string() })

export interface GrantedTokens {
  accessToken: string
  /** Absent when the one that Google gave before stays valid. */
  refreshToken: string | undefined
  lifeSeconds: number
  scopes: string[] | undefined
}

export function createGoogleOAuth({ google, call }: { google: GoogleSettings; call: CallGoogle }) {
  const client = { client_id: google.clientId, client_secret: google.clientSecret }
  const tokenUrl = new URL(google.tokenUrl)

  async function askForTokens(grant: Record<string, string>): Promise<GrantedTokens> {
    const reply = await call({ url: tokenUrl, method: 'POST', form: { ...client, ...grant } })
    const json = readJson(reply)
    const granted = reply.status === 200 ? tokenReply.safeParse(json).data : undefined
    if (granted !== undefined) {
      return {
        accessToken: granted.access_token,
        refreshToken: granted.refresh_token,
        lifeSeconds: granted.expires_in ?? DEFAULT_LIFE_S,
        scopes: granted.scope?.split(' '),
      }
    }
    const code = errorReply.safeParse(json).data?.error
    if (code === 'invalid_grant') throw connectionEnded()
    if (code === 'invalid_client' || code === 'unauthorized_client') {
      throw googleFailed(
        'Google rejected this installation. An administrator must check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.',
      )
    }
    throw googleFailed(`Google did not give access: it answered ${reply.status}`)
  }

  return {
    /** Where the person is asked; `prompt=consent` makes Google give a refresh token each time. */
    authorizationUrl({
      state,
      verifier,
      redirectUri,
    }: {
      state: string
      verifier: string
      redirectUri: string
    }): string {
      const url = new URL(google.oauthUrl)
      const parameters = {
        client_id: google.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: DRIVE_SCOPE,
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'false',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },

    exchange: ({ code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string }) =>
      askForTokens({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),

    refresh: (refreshToken: string) =>
      askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),

    async revoke(token: string): Promise<void> {
      const { status } = await call({ url: new URL('revoke', tokenUrl), method: 'POST', form: { token } })
      if (status !== 200) throw googleFailed(`Google answered ${status} to the revocation`)
    },
  }
}
