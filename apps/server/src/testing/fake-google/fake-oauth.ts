import { createHash, randomBytes } from 'node:crypto'
import type { FakeCall, FakeReply } from './fake-wire.ts'

/** `untick`: goes on without the permission that was asked for. */
export type FakeConsent = 'ask' | 'allow' | 'deny' | 'untick'

interface Asked {
  redirectUri: string
  challenge: string
  scope: string
  isOffline: boolean
}
interface Given {
  scope: string
  expiresAt: number
}

const LIFE_S = 3599
const OTHER_SCOPE = 'openid'

/** Google's authorization, token and revocation endpoints for one client; stricter in one thing: it insists on PKCE. */
export function createFakeOAuth({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const codes = new Map<string, Asked>()
  const access = new Map<string, Given>()
  const refresh = new Map<string, { scope: string }>()
  const given: string[] = []
  const tokens = { rotate: false, lifeSeconds: LIFE_S }
  let decision: FakeConsent = 'allow'

  function mint(prefix: string): string {
    const token = `${prefix}${randomBytes(24).toString('base64url')}`
    given.push(token)
    return token
  }

  function authorize({ query }: FakeCall): FakeReply {
    const { redirect_uri: redirectUri = '', state = '', scope = '' } = query
    const problem =
      query.client_id !== clientId
        ? 'Error 401: invalid_client'
        : query.response_type !== 'code'
          ? 'Error 400: unsupported_response_type'
          : query.code_challenge_method !== 'S256' || !query.code_challenge
            ? 'Error 400: invalid_request (PKCE)'
            : !URL.canParse(redirectUri)
              ? 'Error 400: redirect_uri_mismatch'
              : undefined
    if (problem !== undefined) return { status: 400, body: `<h1>Access blocked</h1><p>${problem}</p>` }
    const made = query.decision === undefined ? decision : (query.decision as FakeConsent)
    if (made === 'ask') return { status: 200, body: consentPage(query) }
    const back = new URL(redirectUri)
    back.searchParams.set('state', state)
    if (made === 'deny') {
      back.searchParams.set('error', 'access_denied')
    } else {
      const granted = made === 'untick' ? OTHER_SCOPE : scope
      const code = mint('4/0A')
      const isOffline = query.access_type === 'offline'
      codes.set(code, { redirectUri, challenge: query.code_challenge ?? '', scope: granted, isOffline })
      back.searchParams.set('code', code)
      back.searchParams.set('scope', granted)
      back.searchParams.set('authuser', '0')
      back.searchParams.set('prompt', 'consent')
    }
    return { status: 302, headers: { location: back.href } }
  }

  function giveAccess(scope: string) {
    const accessToken = mint('ya29.')
    access.set(accessToken, { scope, expiresAt: Date.now() + tokens.lifeSeconds * 1000 })
    return { access_token: accessToken, expires_in: tokens.lifeSeconds, scope, token_type: 'Bearer' }
  }

  function giveRefresh(scope: string): string {
    const token = mint('1//0')
    refresh.set(token, { scope })
    return token
  }

  function grant({ method, form }: FakeCall): FakeReply {
    if (method !== 'POST') return oauthError(405, 'invalid_request')
    if (form.client_id !== clientId)
      return oauthError(401, 'invalid_client', 'The OAuth client was not found.')
    if (form.client_secret !== clientSecret) return oauthError(401, 'invalid_client', 'Unauthorized')
    if (form.grant_type === 'refresh_token') return renew(form.refresh_token ?? '')
    if (form.grant_type !== 'authorization_code') return oauthError(400, 'unsupported_grant_type')
    const asked = codes.get(form.code ?? '')
    codes.delete(form.code ?? '')
    if (asked === undefined) return oauthError(400, 'invalid_grant', 'Malformed auth code.')
    if (asked.redirectUri !== form.redirect_uri)
      return oauthError(400, 'redirect_uri_mismatch', 'Bad Request')
    if (form.code_verifier === undefined) return oauthError(400, 'invalid_grant', 'Missing code verifier.')
    const challenge = createHash('sha256').update(form.code_verifier).digest('base64url')
    if (challenge !== asked.challenge) return oauthError(400, 'invalid_grant', 'Invalid code verifier.')
    const offline = asked.isOffline ? { refresh_token: giveRefresh(asked.scope) } : {}
    return { status: 200, body: { ...giveAccess(asked.scope), ...offline } }
  }

  function renew(token: string): FakeReply {
    const known = refresh.get(token)
    if (known === undefined) return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.')
    if (!tokens.rotate) return { status: 200, body: giveAccess(known.scope) }
    refresh.delete(token)
    return { status: 200, body: { ...giveAccess(known.scope), refresh_token: giveRefresh(known.scope) } }
  }

  function revoke({ form, query }: FakeCall): FakeReply {
    const token = form.token ?? query.token ?? ''
    if (!refresh.has(token) && !access.has(token)) {
      return oauthError(400, 'invalid_token', 'Token expired or revoked')
    }
    // Either token ends the whole grant.
    revokeAll()
    return { status: 200, body: {} }
  }

  function revokeAll(): void {
    refresh.clear()
    access.clear()
  }

  return {
    tokens,
    given,
    revokeAll,
    expireAccess: () => access.clear(),
    consent: (next: FakeConsent) => {
      decision = next
    },
    /** Undefined for a token that is not valid now. */
    scopesOf(accessToken: string): string[] | undefined {
      const found = access.get(accessToken)
      return found === undefined || found.expiresAt <= Date.now() ? undefined : found.scope.split(' ')
    },
    answer(call: FakeCall): FakeReply {
      if (call.path === '/o/oauth2/v2/auth') return authorize(call)
      if (call.path === '/token') return grant(call)
      if (call.path === '/revoke') return revoke(call)
      return { status: 404, body: 'Not found' }
    },
  }
}

function oauthError(status: number, error: string, description?: string): FakeReply {
  return {
    status,
    body: { error, ...(description === undefined ? {} : { error_description: description }) },
  }
}

function consentPage(query: Record<string, string>): string {
  const link = (decision: FakeConsent, label: string) =>
    `<p><a href="?${new URLSearchParams({ ...query, decision }).toString().replaceAll('&', '&amp;')}">${label}</a></p>`
  const links = [link('allow', 'Allow'), link('untick', 'Continue without ticking'), link('deny', 'Cancel')]
  return `<!doctype html><title>Sign in – fake Google</title><h1>Catenary wants access to your Google Account</h1>${links.join('')}`
}
