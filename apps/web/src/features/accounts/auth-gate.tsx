import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { sessionQuery, useSession } from '../../lib/session/session.tsx'
import { useAccountDialogs } from './account-dialogs-provider.tsx'

/** `guard(action)` runs it for a signed-in person and asks a guest to log in; while the session is unknown, both wait. */
export function useAuthGate(): (action: () => void) => void {
  const { open } = useAccountDialogs()
  const queryClient = useQueryClient()
  const { user, status } = useSession()
  return useCallback(
    (action) => {
      const decide = (person: unknown) => (person ? action() : open('required'))
      if (status === 'loading') void queryClient.ensureQueryData(sessionQuery).then(decide, () => undefined)
      // The person may be signed in: nobody is asked to log in again. The line above the page says why nothing
      // happens.
      else if (status === 'away') void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })
      else decide(user)
    },
    [queryClient, user, status, open],
  )
}
