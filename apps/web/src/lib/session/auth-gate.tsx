import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext } from 'react'
import { sessionQuery, useSession } from './session.tsx'

const AuthGateContext = createContext<() => void>(() => undefined)

/** Tells everything inside how to ask a guest to log in. */
export function AuthGateProvider({ onRequired, children }: { onRequired: () => void; children: ReactNode }) {
  return <AuthGateContext value={onRequired}>{children}</AuthGateContext>
}

/**
 * Returns `guard(action)`: runs the action for a signed-in person, shows 'Authentication Required' to a guest. While
 * the session is unknown, both wait for it.
 */
export function useAuthGate(): (action: () => void) => void {
  const onRequired = useContext(AuthGateContext)
  const queryClient = useQueryClient()
  const { user, status } = useSession()
  return useCallback(
    (action) => {
      const decide = (person: unknown) => (person ? action() : onRequired())
      if (status === 'loading') void queryClient.ensureQueryData(sessionQuery).then(decide, () => undefined)
      // Nobody may be asked to log in who is signed in, perhaps; the line above the page says why nothing happens.
      else if (status === 'away') void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })
      else decide(user)
    },
    [queryClient, user, status, onRequired],
  )
}
