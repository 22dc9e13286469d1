import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { logEvent } from '../../lib/diagnostics.ts'
import { PageSpinner } from './page-spinner.tsx'

export function RouteBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return (
    <ErrorBoundary
      resetKeys={[path]}
      onError={(error) => logEvent('page', { path, error: String(error) }, 'error')}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <ErrorState
          title="This page could not be shown"
          headingLevel={1}
          error={error}
          isThrown
          // Offline, a reload would lose the page.
          onRetry={() => (navigator.onLine ? window.location.reload() : resetErrorBoundary())}
        />
      )}
    >
      <Suspense fallback={<PageSpinner />}>{children}</Suspense>
    </ErrorBoundary>
  )
}
