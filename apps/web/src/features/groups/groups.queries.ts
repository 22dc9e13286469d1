import {
  foundUser,
  type GroupMakers,
  group,
  groupDetails,
  groupMaking,
  type UpdateGroupRequest,
} from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../lib/api.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['groups'] as const
/** Who is in a group decides what people see of everything. */
const EVERYTHING = [] as const

/** One's own groups, for admins all, everyone's first. */
export const groupsQuery = queryOptions({
  queryKey: [...ROOT, 'list'],
  queryFn: ({ signal }) => api('GET /api/groups', { list: group, signal }),
})

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => api('GET /api/groups/{id}', { params: { id }, reply: groupDetails, signal }),
    gcTime: 0,
  })

export const groupMakingQuery = queryOptions({
  queryKey: [...ROOT, 'making'],
  queryFn: ({ signal }) => api('GET /api/groups/making', { reply: groupMaking, signal }),
})

export const useCreateGroup = () =>
  useRefreshingWrite(ROOT, (body: { name: string }) => api('POST /api/groups', { body, created: group }))

export const useUpdateGroup = () =>
  useRefreshingWrite(ROOT, ({ id, ...body }: UpdateGroupRequest & { id: number }) =>
    api('PATCH /api/groups/{id}', { params: { id }, body, reply: group }),
  )

export const useSaveMembers = () =>
  useRefreshingWrite(EVERYTHING, ({ id, usernames }: { id: number; usernames: string[] }) =>
    api('PUT /api/groups/{id}/members', { params: { id }, body: { usernames }, reply: group }),
  )

export const useDeleteGroup = () =>
  useRefreshingWrite(EVERYTHING, (id: number) => api('DELETE /api/groups/{id}', { params: { id } }))

export const useSetMakers = () =>
  useRefreshingWrite(ROOT, (madeBy: GroupMakers) =>
    api('PUT /api/admin/groups', { body: { madeBy }, reply: groupMaking }),
  )

export function peopleQuery(name: string) {
  return queryOptions({
    queryKey: ['users', 'search', name],
    queryFn: ({ signal }) =>
      api('GET /api/users/search', { query: { name }, reply: z.array(foundUser), signal }),
    enabled: name !== '',
    gcTime: 0,
  })
}
