import { listEndpoints } from '@catenary/contracts'
import type { Callers } from './security/callers.ts'

const OTHERS: Callers = {
  '/': { GET: 'guest' },
  '/*': { GET: 'guest' },
  '/test-dashboard.html': { GET: 'guest' },
  '/api/public/v2/prompts/*': { GET: 'guest' },
  '/index.html': { GET: 'guest' },
  '/v1': { GET: 'guest' },
  '/v1/*': { GET: 'guest' },
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
