import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import * as z from 'zod'
import { useAccountDialogs } from '../../features/accounts/account-dialogs-provider.tsx'
import { AuthPage } from '../../features/accounts/auth-page.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { rememberVisit } from './first-visit.tsx'

/** In the history and not in the address, which could be anyone's. */
const sentBy = z.object({ wanted: z.string(), purpose: z.string().optional() })

export default function AuthRoute() {
  const { status } = useSession()
  const dialogs = useAccountDialogs()
  const sent = sentBy.safeParse(useHistoryState<unknown>()).data
  useEffect(rememberVisit, [])
  if (status === 'signed-in') return <Redirect to={sent?.wanted ?? '/'} replace />
  return (
    <AuthPage
      purpose={sent?.purpose}
      onLogIn={() => dialogs.open('login')}
      onRegister={() => dialogs.open('register')}
    />
  )
}
