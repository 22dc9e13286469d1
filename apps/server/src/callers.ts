import { listEndpoints } from '@catenary/contracts'
import type { Callers } from './platform/http/security/callers.ts'

/** A whole conversation, and a dozen tools with it. */
const TALK = { who: 'chain token', values: 100_000 } as const

/** Who may call each route that no table of endpoints has, by its path and its method. */
const OTHERS: Callers = {
  '/': { GET: 'guest' },
  '/*': { GET: 'guest' },
  '/test-dashboard.html': { GET: 'guest' },
  '/api/admin/mail/test': { POST: 'admin' },
  '/api/api-tokens/:id': { PATCH: 'user', DELETE: 'user' },
  '/api/auth/google': { DELETE: 'user', GET: 'guest' },
  '/api/auth/google/callback': { GET: 'guest' },
  '/api/auth/google/status': { GET: 'guest' },
  '/api/best-selections': { GET: 'user' },
  '/api/best-selections/:id': { GET: 'user' },
  '/api/best-selections/:id/correction': { POST: 'user' },
  '/api/best-tokens': { GET: 'user', POST: 'user' },
  '/api/docs': { GET: 'guest' },
  '/api/docs/:section': { GET: 'guest' },
  '/api/fetches': { GET: 'user' },
  '/api/folder': { GET: 'folder token' },
  '/api/folder-tokens': { GET: 'user', POST: 'user' },
  '/api/folder-tokens/:id': { DELETE: 'user', PATCH: 'user' },
  '/api/folder/evaluations': { POST: 'folder token' },
  '/api/folder/evaluations/:id': { GET: 'folder token' },
  '/api/folder/push': { POST: 'folder token' },
  '/api/google-drive/files': { GET: 'user' },
  '/api/google-drive/picker': { GET: 'guest' },
  '/api/mail': { GET: 'user' },
  '/api/mail/confirm/:token': { GET: 'guest', POST: 'guest' },
  '/api/mail/confirmation': { POST: 'user' },
  '/api/mail/unsubscribe/:token': { GET: 'guest', POST: 'guest' },
  '/api/mcp-tokens': { GET: 'user', POST: 'user' },
  '/api/mcp-tokens/:id': { DELETE: 'user', PATCH: 'user' },
  '/api/mcp-tokens/:id/sees': { GET: 'user' },
  '/api/openapi.json': { GET: 'guest' },
  '/api/own-tokens': { GET: 'user' },
  '/api/public/v2/prompts/*': { GET: 'guest' },
  '/api/read-tokens': { GET: 'user', POST: 'user' },
  '/api/read-tokens/:id': { DELETE: 'user', PATCH: 'user' },
  '/api/skills/:file': { GET: 'skills token' },
  '/api/stream-check': { GET: 'guest' },
  '/api/tokens': { GET: 'user', POST: 'user' },
  '/api/tokens/:id': { PATCH: 'user', DELETE: 'user' },
  '/api/tokens/:id/rotate': { POST: 'user' },
  '/api/tokens/:id/value': { GET: 'user' },
  '/healthz': { GET: 'guest' },
  '/index.html': { GET: 'guest' },
  '/mcp': { POST: 'agents token', GET: 'guest', DELETE: 'guest' },
  '/metrics': { GET: 'guest' },
  '/readyz': { GET: 'guest' },
  '/v1': { GET: 'guest' },
  '/v1/*': { GET: 'guest' },
  '/v1/chat/completions': { POST: TALK },
  '/v1/messages': { POST: TALK },
  '/v1/messages/count_tokens': { POST: TALK },
  '/v1/models': { GET: 'chain token' },
  '/v1/models/:model': { GET: 'chain token' },
  '/v1/responses': { POST: TALK },
  '/v1/route': { POST: TALK },
}

/** Who may call each route; the server does not start with one that has no entry. */
export const CALLERS: Callers = Object.fromEntries(
  Object.entries(
    Object.groupBy([...entriesOf(OTHERS), ...listEndpoints().map(toEntry)], ({ path }) => path),
  ).map(([path, entries = []]) => [
    path,
    Object.fromEntries(entries.map(({ method, who }) => [method, who])),
  ]),
)

function entriesOf(callers: Callers) {
  return Object.entries(callers).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, who]) => ({ path, method, who })),
  )
}

function toEntry([key, { who, bodyBytes, bodyValues: values }]: ReturnType<typeof listEndpoints>[number]) {
  const [method = '', path = ''] = key.split(' ')
  const bounds = { ...(bodyBytes !== undefined && { bodyBytes }), ...(values !== undefined && { values }) }
  return { method, path: path.replaceAll(/\{(\w+)\}/g, ':$1'), who: { who, ...bounds } }
}
