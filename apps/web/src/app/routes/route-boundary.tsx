import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { logEvent } from '../../lib/diagnostics.ts'
import { PageSpinner } from './page-spinner.tsx'

/** Keeps a page's failure from the frame around it; another page is a fresh start. */
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
          // Without the network a reload would end the page.
          onRetry={() => (navigator.onLine ? window.location.reload() : resetErrorBoundary())}
        />
      )}
    >
      <Suspense fallback={<PageSpinner />}>{children}</Suspense>
    </ErrorBoundary>
  )
}
