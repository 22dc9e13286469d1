import type { ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { useSession } from '../../lib/session/session.tsx'

export function ProtectedRoute({ purpose, children }: { purpose?: string | undefined; children: ReactNode }) {
  const { status } = useSession()
  const [path] = useLocation()
  const search = useSearch()
  if (status === 'loading' || status === 'away') return <PageSkeleton />
  if (status === 'signed-in') return children
  const wanted = search === '' ? path : `${path}?${search}`
  return <Redirect to="/auth" replace state={{ wanted, purpose }} />
}
