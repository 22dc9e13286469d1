import { useQuery } from '@tanstack/react-query'
import { ownTokensQuery, readTokensQuery, tokenQuery } from '../tokens.queries.ts'
import { useConnectView } from './connect-view.ts'

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
