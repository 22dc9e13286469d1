import { TOKEN_MARKS, type TokenType } from '@catenary/contracts'
import { CONNECT_CLIENTS, type ConnectClientName } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { idIn, useAddress } from '../../../lib/address.ts'
import { ownTokensQuery, readTokensQuery, tokenQuery } from '../tokens.queries.ts'

export type ConnectChoice = ReturnType<typeof useConnectChoice>

export function useConnectChoice() {
  const [view, change] = useConnectView()
  const { data: tokens, error, refetch } = useQuery(ownTokensQuery)
  const { data: readers, isError } = useQuery({ ...readTokensQuery, enabled: view.promptId !== null })
  const listed = tokens?.filter(({ tokenType }) => view.kind === null || tokenType === view.kind)
  const reaching = readers?.find(({ prompts }) => prompts.some(({ id }) => id === view.promptId))
  const meant = view.tokenId ?? reaching?.id
  const isForPrompt = view.tokenId === null && view.promptId !== null
  const token = tokens?.find(({ id }) => id === meant) ?? (isForPrompt ? undefined : listed?.[0])
  const { data: whole } = useQuery({
    ...tokenQuery(token?.id ?? 0),
    enabled: token?.tokenType === 'read',
  })
  const first = whole?.tokenType === 'read' ? whole.namedPrompts[0]?.id : undefined
  return {
    view,
    change,
    tokens,
    listed,
    error,
    refetch: () => void refetch(),
    /** Null: none, or none that reaches the prompt that one came for. */
    token: token ?? null,
    isKnown: tokens !== undefined && (!isForPrompt || readers !== undefined || isError),
    isLost: tokens !== undefined && view.tokenId !== null && !tokens.some(({ id }) => id === view.tokenId),
    chainId: token?.chainId ?? null,
    promptId: view.promptId ?? first ?? null,
  }
}

interface ConnectView {
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

function useConnectView(): [ConnectView, (change: Partial<ConnectView>) => void] {
  const [params, changeAddress] = useAddress()
  return [
    readConnectView(params),
    ({ kind, tokenId, client, promptId }) =>
      changeAddress({ kind, show: tokenId, client: client && keyOf(client), prompt: promptId }),
  ]
}
