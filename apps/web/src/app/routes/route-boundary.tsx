import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { PageSkeleton } from '../../components/frame-menu.tsx'
import { MissingPage } from '../../components/part.tsx'
import { logEvent } from '../../lib/diagnostics.ts'

export function RouteBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary
      resetKeys={[path]}
      onError={(error) => logEvent('page', { path, error: String(error) }, 'error')}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <MissingPage
          error={error}
          isThrown
          // Offline, a reload would lose the page.
          onRetry={() => (navigator.onLine ? window.location.reload() : resetErrorBoundary())}
        />
      )}
    >
      <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
    </ErrorBoundary>
  )
}
