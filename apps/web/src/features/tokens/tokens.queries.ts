import {
  bestToken,
  type CreateBestTokenRequest,
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
  folderToken,
  mcpToken,
  type OwnToken,
  ownToken,
  readToken,
  type TokenType,
  tokenRun,
  tokenValue,
  type UpdateBestTokenRequest,
  type UpdateFolderTokenRequest,
  type UpdateMcpTokenRequest,
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
import * as z from 'zod'
import { apiPage } from '../../lib/api.ts'
import { read, readAll, write } from '../../lib/api-client.ts'
import type { AnyToken } from './token-texts.ts'

const ROOT = ['tokens'] as const
/** Runs of a token that are fetched at a time. */
const RUNS_PAGE = 20
/** With the value that only this reply holds. */
const createdToken = z.union([
  createdChainToken,
  createdBestToken,
  createdReadToken,
  createdMcpToken,
  createdFolderToken,
])
export type CreatedToken = z.infer<typeof createdToken>

/** What each kind of token is called by. */
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
  | { tokenType: 'chain'; body: UpdateTokenRequest }
  | { tokenType: 'best'; body: UpdateBestTokenRequest }
  | { tokenType: 'read'; body: UpdateReadTokenRequest }
  | { tokenType: 'mcp'; body: UpdateMcpTokenRequest }
  | { tokenType: 'folder'; body: UpdateFolderTokenRequest }
)

/** The tokens of a chain, newest first; for its editors. */
export function chainTokensQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'chain', chainId],
    queryFn: ({ signal }) => readAll({ path: `/api/tokens?chainId=${chainId}`, schema: chainToken, signal }),
    // They are used without an action of this page.
    staleTime: 0,
  })
}

/** One's own Best Chain tokens, newest first. */
export const bestTokensQuery = queryOptions({
  queryKey: [...ROOT, 'best'],
  queryFn: ({ signal }) => readAll({ path: '/api/best-tokens', schema: bestToken, signal }),
  staleTime: 0,
})

/** One's own tokens of every kind, newest first: what a list of them shows. */
export const ownTokensQuery = queryOptions({
  queryKey: [...ROOT, 'own'],
  queryFn: ({ signal }) => readAll({ path: '/api/own-tokens', schema: ownToken, signal }),
  staleTime: 0,
})

/** One's own read tokens, newest first, with what each reaches. */
export const readTokensQuery = queryOptions({
  queryKey: [...ROOT, 'read'],
  queryFn: ({ signal }) => readAll({ path: '/api/read-tokens', schema: readToken, signal }),
  staleTime: 0,
})

const TOKENS_OF = {
  chain: chainToken,
  best: bestToken,
  read: readToken,
  mcp: mcpToken,
  folder: folderToken,
} as const

/** All of one of one's own tokens: its kind's list has it. */
export function wholeTokenQuery({ id, tokenType, chainId }: Pick<OwnToken, 'id' | 'tokenType' | 'chainId'>) {
  const ofChain = tokenType === 'chain' ? `?chainId=${chainId}` : ''
  const path = `${PATHS[tokenType].all}${ofChain}`
  return queryOptions({
    queryKey: tokenType === 'chain' ? [...ROOT, tokenType, chainId] : [...ROOT, tokenType],
    queryFn: ({ signal }): Promise<AnyToken[]> => readAll({ path, schema: TOKENS_OF[tokenType], signal }),
    select: (tokens) => tokens.find((token) => token.id === id) ?? null,
    staleTime: 0,
  })
}

/** The runs through a token, newest first, a page at a time. */
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

/** A token's value, for its creator. */
export async function readTokenValue({ id }: TokenKey): Promise<string> {
  return (await read({ path: `/api/tokens/${id}/value`, schema: tokenValue })).token
}

/** Creates a token. The caller tells the person about a failure. */
export function useCreateToken() {
  return useTokenWrite('create', ({ tokenType, body }: NewToken) =>
    write({ method: 'POST', path: PATHS[tokenType].all, body, schema: createdToken }),
  )
}

/** Saves a token, never its value. The caller tells the person about a failure. */
export function useUpdateToken() {
  return useTokenWrite('update', ({ body, ...key }: TokenChange) =>
    write({ method: 'PATCH', path: pathOf(key), body }),
  )
}

/** Ends a token at once. The caller tells the person about a failure. */
export function useDeleteToken() {
  return useTokenWrite('delete', (key: TokenKey) => write({ method: 'DELETE', path: pathOf(key) }))
}

/** Gives a token a new value; the old one goes on for so long. The caller tells the person about a failure. */
export function useRotateToken() {
  return useTokenWrite('rotate', ({ id, overlapMinutes }: { id: number; overlapMinutes: number }) =>
    write({
      method: 'POST',
      path: `/api/tokens/${id}/rotate`,
      body: { overlapMinutes },
      schema: createdToken,
    }),
  )
}

const PATHS: Record<TokenType, { all: string; one: string }> = {
  chain: { all: '/api/tokens', one: '/api/tokens' },
  best: { all: '/api/best-tokens', one: '/api/api-tokens' },
  read: { all: '/api/read-tokens', one: '/api/read-tokens' },
  mcp: { all: '/api/mcp-tokens', one: '/api/mcp-tokens' },
  folder: { all: '/api/folder-tokens', one: '/api/folder-tokens' },
}

function pathOf({ id, tokenType }: TokenKey): string {
  return `${PATHS[tokenType].one}/${id}`
}

type Act = 'create' | 'update' | 'delete' | 'rotate'

/** What is being done to a token right now. */
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
