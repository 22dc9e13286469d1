import type { Notifications } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../lib/session/session.tsx'
import { accountQuery } from './own-account.queries.ts'

type ShownKind = {
  [Kind in keyof Notifications]: 'page' extends keyof Notifications[Kind] ? Kind : never
}[keyof Notifications]

/** Whether the person wants such messages on the page: they do, unless they said otherwise. */
export function useIsTold(kind: ShownKind): boolean {
  const { user } = useSession()
  const { data } = useQuery({ ...accountQuery, enabled: user !== null })
  return data?.notifications[kind].page ?? true
}
