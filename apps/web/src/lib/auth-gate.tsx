import { createContext, type ReactNode, useCallback, useContext } from 'react'
import { useSession } from './session.tsx'

const AuthGateContext = createContext<() => void>(() => undefined)

/** Tells everything inside how to ask a guest to log in. */
export function AuthGateProvider({ onRequired, children }: { onRequired: () => void; children: ReactNode }) {
  return <AuthGateContext value={onRequired}>{children}</AuthGateContext>
}

/** Returns `guard(action)`: runs the action for a signed-in person, shows 'Authentication Required' to a guest. */
export function useAuthGate(): (action: () => void) => void {
  const onRequired = useContext(AuthGateContext)
  const { user } = useSession()
  return useCallback((action) => (user ? action() : onRequired()), [user, onRequired])
}
