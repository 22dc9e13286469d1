import { TOKEN_MARKS, type TokenType } from '@catenary/contracts'
import { CONNECT_CLIENTS, type ConnectClientName } from '@catenary/domain'
import { useSearchParams } from 'wouter'

/** What of the page is in view. */
export interface ConnectView {
  /** Null: every kind. */
  kind: TokenType | null
  /** Null: the first one; on a phone the list. */
  tokenId: number | null
  /** Null: what fits the token. */
  client: ConnectClientName | null
  /** For which a token is wanted, or which the examples fetch. */
  promptId: number | null
}

const keyOf = (client: string): string => client.toLowerCase().replaceAll(' ', '-')

/** What the address says: `?kind=mcp&show=5&client=codex&prompt=21`. */
function readConnectView(params: URLSearchParams): ConnectView {
  const kind = params.get('kind')
  const client = params.get('client')
  return {
    kind: kind !== null && kind in TOKEN_MARKS ? (kind as TokenType) : null,
    tokenId: idOf(params.get('show')),
    client: CONNECT_CLIENTS.find(({ name }) => keyOf(name) === client)?.name ?? null,
    promptId: idOf(params.get('prompt')),
  }
}

/** What is looked at, kept in the address. */
export function useConnectView(): [ConnectView, (change: Partial<ConnectView>) => void] {
  const [params, setParams] = useSearchParams()
  return [
    readConnectView(params),
    (change) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        const view = { ...readConnectView(before), ...change }
        put(next, 'kind', view.kind)
        put(next, 'show', view.tokenId)
        put(next, 'client', view.client === null ? null : keyOf(view.client))
        put(next, 'prompt', view.promptId)
        return next
      }),
  ]
}

function put(params: URLSearchParams, name: string, value: string | number | null): void {
  if (value === null) params.delete(name)
  else params.set(name, String(value))
}

function idOf(value: string | null): number | null {
  const id = Number(value)
  return Number.isInteger(id) && id > 0 ? id : null
}
