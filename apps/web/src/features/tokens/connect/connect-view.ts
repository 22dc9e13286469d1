import { TOKEN_MARKS, type TokenType } from '@catenary/contracts'
import { CONNECT_CLIENTS, type ConnectClientName } from '@catenary/domain'
import { idIn, useAddress } from '../../../lib/address.ts'

export interface ConnectView {
  kind: TokenType | null
  /** Null: the first one; on a phone the list. */
  tokenId: number | null
  /** Null: what fits the token. */
  client: ConnectClientName | null
  promptId: number | null
}

const keyOf = (client: string): string => client.toLowerCase().replaceAll(' ', '-')

function readConnectView(params: URLSearchParams): ConnectView {
  const kind = params.get('kind')
  const client = params.get('client')
  return {
    kind: kind !== null && kind in TOKEN_MARKS ? (kind as TokenType) : null,
    tokenId: idIn(params.get('show')),
    client: CONNECT_CLIENTS.find(({ name }) => keyOf(name) === client)?.name ?? null,
    promptId: idIn(params.get('prompt')),
  }
}

export function useConnectView(): [ConnectView, (change: Partial<ConnectView>) => void] {
  const [params, changeAddress] = useAddress()
  return [
    readConnectView(params),
    ({ kind, tokenId, client, promptId }) =>
      changeAddress({ kind, show: tokenId, client: client && keyOf(client), prompt: promptId }),
  ]
}
