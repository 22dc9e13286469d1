import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { AuthPage } from '../../features/accounts/auth-page.tsx'
import { useSession } from '../../lib/session.tsx'
import { useAccountDialogs } from '../dialogs/account-dialogs-provider.tsx'
import { rememberVisit } from './first-visit.tsx'

/** The landing page; whoever is signed in has no business there. */
export default function AuthRoute() {
  const { status } = useSession()
  const dialogs = useAccountDialogs()
  useEffect(rememberVisit, [])
  if (status === 'signed-in') return <Redirect to="/" replace />
  return <AuthPage onLogIn={() => dialogs.open('login')} onRegister={() => dialogs.open('register')} />
}
