import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { AuthPage } from '../../features/accounts/auth-page.tsx'
import { useSession } from '../../lib/session.tsx'
import { useAccountDialogs } from '../dialogs/account-dialogs-provider.tsx'
import { purposeOf } from '../pages.ts'
import { rememberVisit } from './first-visit.tsx'

/** The landing page; whoever is signed in has no business there. */
export default function AuthRoute() {
  const { status } = useSession()
  const dialogs = useAccountDialogs()
  const wanted = wantedOf(useHistoryState<unknown>())
  useEffect(rememberVisit, [])
  if (status === 'signed-in') return <Redirect to={wanted ?? '/'} replace />
  return (
    <AuthPage
      purpose={wanted && purposeOf(wanted)}
      onLogIn={() => dialogs.open('login')}
      onRegister={() => dialogs.open('register')}
    />
  )
}

/** The page that sent them here: it stands in the history, as an address could be anyone's. */
function wantedOf(state: unknown): string | null {
  const isTold = typeof state === 'object' && state !== null && 'wanted' in state
  return isTold && typeof state.wanted === 'string' ? state.wanted : null
}
