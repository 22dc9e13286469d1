import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { browserTimeZone, setViewerTimeZone } from '../../lib/time-zone.ts'
import { accountQuery } from './own-account.queries.ts'

/** The zone of the person's settings, else the browser's; undefined while it is not known. */
export function useAccountTimeZone(): string | undefined {
  const { data, isPending } = useQuery(accountQuery)
  return isPending ? undefined : (data?.timeZone ?? browserTimeZone())
}

export function useFollowedTimeZone(): void {
  const { status } = useSession()
  const { data } = useQuery({ ...accountQuery, enabled: status === 'signed-in' })
  const zone = status === 'anonymous' ? null : data?.timeZone
  useEffect(() => {
    if (zone !== undefined) setViewerTimeZone(zone)
  }, [zone])
}
