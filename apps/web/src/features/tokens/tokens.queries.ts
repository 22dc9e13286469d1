import {
  type Api,
  bestToken,
  type CreateBestTokenRequest,
  type CreatedToken,
  type CreateFolderTokenRequest,
  type CreateMcpTokenRequest,
  type CreateReadTokenRequest,
  type CreateTokenRequest,
  chainToken,
  createdBestToken,
  createdChainToken,
  createdFolderToken,
  createdMcpToken,
  createdReadToken,
  createdToken,
  folderToken,
  mcpToken,
  type OwnToken,
  type OwnTokenDetails,
  ownToken,
  ownTokenDetails,
  readToken,
  type TokenType,
  tokenRun,
  tokenValue,
  type UpdateBestTokenRequest,
  type UpdateFolderTokenRequest,
  type UpdateMcpTokenRequest,
  type UpdateOwnTokenRequest,
  type UpdateReadTokenRequest,
  type UpdateTokenRequest,
} from '@catenary/contracts'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { api, apiPage } from '../../lib/api.ts'
import type { AnyToken } from './token-texts.ts'

const ROOT = ['tokens'] as const
const RUNS_PAGE = 20
export interface TokenKey {
  id: number
  tokenType: TokenType
}

export type NewToken =
  | { tokenType: 'chain'; body: CreateTokenRequest }
  | { tokenType: 'best'; body: CreateBestTokenRequest }
  | { tokenType: 'read'; body: CreateReadTokenRequest }
  | { tokenType: 'mcp'; body: CreateMcpTokenRequest }
  | { tokenType: 'folder'; body: CreateFolderTokenRequest }

export type TokenChange = { id: number } & (
  | { tokenType: 'scoped'; body: UpdateOwnTokenRequest }
  | { tokenType: 'chain'; body: UpdateTokenRequest }
  | { tokenType: 'best'; body: UpdateBestTokenRequest }
  | { tokenType: 'read'; body: UpdateReadTokenRequest }
  | { tokenType: 'mcp'; body: UpdateMcpTokenRequest }
  | { tokenType: 'folder'; body: UpdateFolderTokenRequest }
)

export function chainTokensQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'chain', chainId],
    queryFn: ({ signal }) => api('GET /api/tokens', { query: { chainId }, list: chainToken, signal }),
    // They are used without an action of this page.
    staleTime: 0,
  })
}

export const bestTokensQuery = queryOptions({
  queryKey: [...ROOT, 'best'],
  queryFn: ({ signal }) => api('GET /api/best-tokens', { list: bestToken, signal }),
  staleTime: 0,
})

export const ownTokensQuery = queryOptions({
  queryKey: [...ROOT, 'own'],
  queryFn: ({ signal }) => api('GET /api/own-tokens', { list: ownToken, signal }),
  staleTime: 0,
})

export const readTokensQuery = queryOptions({
  queryKey: [...ROOT, 'read'],
  queryFn: ({ signal }) => api('GET /api/read-tokens', { list: readToken, signal }),
  staleTime: 0,
})

/** All of one of one's own tokens: its kind's list has it. */
export function wholeTokenQuery({ id, tokenType, chainId }: Pick<OwnToken, 'id' | 'tokenType' | 'chainId'>) {
  return queryOptions({
    queryKey: [
      ...ROOT,
      tokenType,
      ...(tokenType === 'chain' ? [chainId] : tokenType === 'scoped' ? [id] : []),
    ],
    queryFn: ({ signal }) => listTokens({ id, tokenType, chainId, signal }),
    select: (tokens) => tokens.find((token) => token.id === id) ?? null,
    staleTime: 0,
  })
}

interface Listed extends Pick<OwnToken, 'id' | 'tokenType' | 'chainId'> {
  signal: AbortSignal
}

async function listTokens({ id, tokenType, chainId, signal }: Listed): Promise<AnyToken[]> {
  switch (tokenType) {
    case 'chain':
      return api('GET /api/tokens', { query: { chainId: Number(chainId) }, list: chainToken, signal })
    case 'best':
      return api('GET /api/best-tokens', { list: bestToken, signal })
    case 'read':
      return api('GET /api/read-tokens', { list: readToken, signal })
    case 'mcp':
      return api('GET /api/mcp-tokens', { list: mcpToken, signal })
    case 'folder':
      return api('GET /api/folder-tokens', { list: folderToken, signal })
    case 'scoped':
      return [
        toScoped(await api('GET /api/own-tokens/{id}', { params: { id }, reply: ownTokenDetails, signal })),
      ]
  }
}

export function tokenRunsQuery(tokenId: number) {
  return infiniteQueryOptions({
    queryKey: [...ROOT, 'runs', tokenId],
    queryFn: async ({ pageParam, signal }) => {
      const { items } = await apiPage('GET /api/tokens/{id}/executions', {
        params: { id: tokenId },
        query: { limit: RUNS_PAGE, before: pageParam ?? undefined },
        list: tokenRun,
        signal,
      })
      return items
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < RUNS_PAGE ? null : (page.at(-1)?.id ?? null)),
    staleTime: 0,
  })
}

export async function readTokenValue({ id }: TokenKey): Promise<string> {
  return (await api('GET /api/tokens/{id}/value', { params: { id }, reply: tokenValue })).token
}

export function useCreateToken() {
  return useTokenWrite('create', createToken)
}

function createToken({ tokenType, body }: NewToken): Promise<CreatedToken> {
  switch (tokenType) {
    case 'chain':
      return api('POST /api/tokens', { body, created: createdChainToken })
    case 'best':
      return api('POST /api/best-tokens', { body, created: createdBestToken })
    case 'read':
      return api('POST /api/read-tokens', { body, created: createdReadToken })
    case 'mcp':
      return api('POST /api/mcp-tokens', { body, created: createdMcpToken })
    case 'folder':
      return api('POST /api/folder-tokens', { body, created: createdFolderToken })
  }
}

export function useUpdateToken() {
  return useTokenWrite('update', updateToken)
}

async function updateToken({ tokenType, body, id }: TokenChange): Promise<AnyToken> {
  const params = { id }
  switch (tokenType) {
    case 'chain':
      return api('PATCH /api/tokens/{id}', { params, body, reply: chainToken })
    case 'best':
      return api('PATCH /api/api-tokens/{id}', { params, body, reply: bestToken })
    case 'read':
      return api('PATCH /api/read-tokens/{id}', { params, body, reply: readToken })
    case 'mcp':
      return api('PATCH /api/mcp-tokens/{id}', { params, body, reply: mcpToken })
    case 'folder':
      return api('PATCH /api/folder-tokens/{id}', { params, body, reply: folderToken })
    case 'scoped':
      return toScoped(await api('PATCH /api/own-tokens/{id}', { params, body, reply: ownTokenDetails }))
  }
}

const toScoped = (token: OwnTokenDetails) => ({ ...token, tokenType: 'scoped' as const })

export function useDeleteToken() {
  return useTokenWrite('delete', ({ id, tokenType }: TokenKey) => api(ENDS[tokenType], { params: { id } }))
}

const ENDS = {
  chain: 'DELETE /api/tokens/{id}',
  best: 'DELETE /api/api-tokens/{id}',
  read: 'DELETE /api/read-tokens/{id}',
  mcp: 'DELETE /api/mcp-tokens/{id}',
  folder: 'DELETE /api/folder-tokens/{id}',
  scoped: 'DELETE /api/own-tokens/{id}',
} as const satisfies Record<TokenType, keyof Api>

export function useRotateToken() {
  return useTokenWrite('rotate', ({ id, overlapMinutes }: { id: number; overlapMinutes: number }) =>
    api('POST /api/tokens/{id}/rotate', {
      params: { id },
      body: { overlapMinutes },
      reply: createdToken,
    }),
  )
}

type Act = 'create' | 'update' | 'delete' | 'rotate'

export function useTokenBusy(id: number): Act | undefined {
  const pending = useMutationState({
    filters: { mutationKey: ROOT, status: 'pending' },
    select: ({ options, state }) => ({
      act: options.mutationKey?.[1] as Act,
      variables: state.variables as Partial<TokenKey> | undefined,
    }),
  })
  return pending.find(({ variables }) => variables?.id === id)?.act
}

function useTokenWrite<Input, Output>(act: Act, mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: [...ROOT, act],
    mutationFn,
    onSuccess: () => refresh(queryClient),
    meta: { failure: false },
  })
}

/** Not awaited: a dialog closes when the write is done. */
function refresh(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: ROOT })
}
