import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFakeDrive } from './fake-drive.ts'
import { createFakeOAuth, type FakeConsent } from './fake-oauth.ts'
import { driveError, type FakeCall, type FakeFile, type FakeReply } from './fake-wire.ts'

/** What goes wrong with the next calls of a kind. */
interface FakeFault {
  on: 'token' | 'revoke' | 'drive'
  status?: number
  reason?: string
  /** A body that is not Google's form. */
  body?: string
  /** Answers no earlier. */
  until?: Promise<void>
  /** How many calls; default 1. */
  times?: number
}

/** Google's sign-in and Drive on a port of this machine: the real wire, one account, and faults on demand. */
export async function startFakeGoogle({
  port = 0,
  clientId = 'fake-client.apps.googleusercontent.com',
  clientSecret = 'fake-client-secret',
}: {
  port?: number
  clientId?: string
  clientSecret?: string
} = {}) {
  const oauth = createFakeOAuth({ clientId, clientSecret })
  const drive = createFakeDrive({ findScopes: oauth.scopesOf })
  const journal: FakeCall[] = []
  let faults: FakeFault[] = []

  function takeFault(on: FakeFault['on']): FakeFault | undefined {
    const fault = faults.find((one) => one.on === on)
    if (fault === undefined) return undefined
    const left = (fault.times ?? 1) - 1
    faults = faults.flatMap((one) => (one !== fault ? [one] : left > 0 ? [{ ...one, times: left }] : []))
    return fault
  }

  async function answer(call: FakeCall): Promise<FakeReply> {
    const kind = kindOf(call.path)
    const fault = kind === undefined ? undefined : takeFault(kind)
    await fault?.until
    if (fault?.body !== undefined) return { status: fault.status ?? 200, body: fault.body }
    if (fault?.status !== undefined) {
      const { status, reason = 'backendError' } = fault
      if (kind === 'drive') return driveError({ status, reason, message: 'A fault that was asked for' })
      return { status, body: { error: reason } }
    }
    if (kind === 'drive') return drive.answer(call)
    return oauth.answer(call)
  }

  const server = createServer((request, response) => {
    const respond = async () => {
      const call = await readCall(request)
      journal.push(call)
      send(response, await answer(call))
    }
    respond().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    settings: {
      clientId,
      clientSecret,
      oauthUrl: `${url}/o/oauth2/v2/auth`,
      tokenUrl: `${url}/token`,
      driveUrl: `${url}/drive/v3`,
    },
    /** The same as the program's environment. */
    env: {
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
      GOOGLE_OAUTH_URL: `${url}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${url}/token`,
      GOOGLE_DRIVE_URL: `${url}/drive/v3`,
    },
    /** Every request, oldest first. */
    journal,
    /** What the person does on the consent page; `ask` shows the page. */
    consent: (consent: FakeConsent) => oauth.consent(consent),
    /** How the tokens of the next grants are; `rotate`: a refresh token works once. */
    tokens: oauth.tokens,
    /** Every token that it ever issued, to search for. */
    given: oauth.given,
    /** Ends all tokens, as the person does in their Google account. */
    revokeAll: oauth.revokeAll,
    /** Ends the access tokens alone, before their time. */
    expireAccess: oauth.expireAccess,
    addFiles: (...files: FakeFile[]) => drive.addFiles(...files),
    fail: (...next: FakeFault[]) => void faults.push(...next),
    /** Nothing fails any more. */
    heal: () => {
      faults = []
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function kindOf(path: string): FakeFault['on'] | undefined {
  if (path === '/token') return 'token'
  if (path === '/revoke') return 'revoke'
  return path.startsWith('/drive/v3/') ? 'drive' : undefined
}

async function readCall(request: IncomingMessage): Promise<FakeCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', 'http://fake')
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
    authorization: request.headers.authorization,
  }
}

function send(response: ServerResponse, { status, body, headers }: FakeReply): void {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const type = isRaw ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(isRaw ? body : JSON.stringify(body ?? {}, null, 2))
}
