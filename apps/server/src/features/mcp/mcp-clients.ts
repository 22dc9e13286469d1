import { type Context, onePerApp } from '../../platform/context.ts'
import { clientOf, toClientName } from '../../platform/http/client-name.ts'
import type { HttpRequest } from '../../platform/http/routes.ts'

/** Where the newer revision has each call say who makes it. */
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const REMEMBERED = 1_000

/** By token and User-Agent; the one that was heard of longest ago comes first. */
const knownClients = onePerApp(() => new Map<string, string>())

/** How a client calls itself. Those of the older revisions say it once, at their beginning. */
export function clientNameOf(
  ctx: Context,
  { request, tokenId }: { request: HttpRequest; tokenId: number },
): string {
  const known = knownClients(ctx)
  const agent = clientOf(request)
  const key = `${tokenId} ${request.headers['user-agent'] ?? ''}`.slice(0, 300)
  const said = readClient(request.body)
  const name = said ?? known.get(key)
  if (name === undefined) return agent
  known.delete(key)
  known.set(key, name)
  const [oldest] = known.keys()
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
  return name
}

function readClient(body: unknown): string | undefined {
  const { method, params } = Object(body)
  const { clientInfo, _meta } = Object(params)
  const info = method === 'initialize' ? clientInfo : Object(_meta)[CLIENT_KEY]
  const { title, name, version } = Object(info)
  const called = typeof title === 'string' && title !== '' ? title : name
  if (typeof called !== 'string' || called === '') return undefined
  return toClientName({ name: called, version: typeof version === 'string' ? version : '' })
}
