import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { logEvent } from '../lib/diagnostics.ts'
import { ErrorState } from './error-state.tsx'

export function PanelBoundary({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ErrorBoundary
      onError={(error) => logEvent('panel', { title, error: String(error) }, 'error')}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <ErrorState
          title={`${title} could not be shown`}
          error={error}
          isThrown
          onRetry={resetErrorBoundary}
          className="py-6"
        />
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
