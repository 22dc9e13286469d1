import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { useSession } from '../../lib/session.tsx'
import { PageSpinner } from './page-spinner.tsx'

/** Shows its page to a signed-in person only; others are sent to the landing page. */
export function ProtectedRoute({ children }: { children: ReactNode }) {
  const { status } = useSession()
  if (status === 'loading') return <PageSpinner />
  return status === 'signed-in' ? children : <Redirect to="/auth" replace />
}
