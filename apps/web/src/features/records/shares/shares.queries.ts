import { type Group, nameKey, type RecordKind, type Share, shareList } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

const KEYS = {
  prompt: { read: 'GET /api/prompts/{id}/shares', save: 'PUT /api/prompts/{id}/shares' },
  chain: { read: 'GET /api/chains/{id}/shares', save: 'PUT /api/chains/{id}/shares' },
} as const

export function sharesQuery({ kind, id }: { kind: RecordKind; id: number }) {
  return queryOptions({
    queryKey: [`${kind}s`, 'shares', id],
    queryFn: ({ signal }) => api(KEYS[kind].read, { params: { id }, reply: shareList, signal }),
  })
}

export function useSaveShares(kind: RecordKind) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, shares }: { id: number; shares: readonly Share[] }) =>
      api(KEYS[kind].save, { params: { id }, body: [...shares], reply: shareList }),
    onSettled: () => {
      // A refused one may mean that somebody is gone.
      void queryClient.invalidateQueries({ queryKey: [`${kind}s`] })
      void queryClient.invalidateQueries({ queryKey: ['groups'] })
    },
    meta: { failure: false },
  })
}

export const nameOfShare = (share: Share): string => ('group' in share ? share.group : share.username)

/** A group and a person may have one name. */
export const shareKey = (share: Share): string =>
  'group' in share ? `group ${nameKey(share.group)}` : `person ${share.username.toLowerCase()}`

export function isSameShares(left: readonly Share[], right: readonly Share[]): boolean {
  const textOf = (shares: readonly Share[]) =>
    shares
      .map((share) => `${shareKey(share)} ${share.role}`)
      .sort()
      .join('\n')
  return textOf(left) === textOf(right)
}

interface Opened {
  shares: readonly Share[]
  groups: readonly Group[]
  owner: string
}

/** How many people these shares open a record to, its owner among them; undefined where a group is not known. */
export function openedBy({ shares, groups, owner }: Opened): number | 'everyone' | undefined {
  const byKey = new Map(groups.map((group) => [shareKey({ group: group.name, role: 'viewer' }), group]))
  const named = shares.filter((share) => 'group' in share).map((share) => byKey.get(shareKey(share)))
  if (named.some((group) => group?.isBuiltIn)) return 'everyone'
  if (named.includes(undefined)) return undefined
  const people = shares.flatMap((share) => ('username' in share ? share.username : []))
  return new Set([owner, ...people, ...named.flatMap((group) => group?.members ?? [])]).size
}
