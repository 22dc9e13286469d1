import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Router } from 'wouter'
import { CopyByHand } from '../components/copy/copy-by-hand.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { Toaster } from '../components/toaster.tsx'
import { AccountDialogsProvider } from '../features/accounts/account-dialogs-provider.tsx'
import { logEvent } from '../lib/diagnostics.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { useAwaitedServer } from '../lib/session/use-awaited-server.ts'
import { AppDialogsProvider } from './app-dialogs-provider.tsx'
import { navigateWhenLoaded } from './navigate-when-loaded.ts'
import { AppRouter } from './router.tsx'

function AwaitedServer() {
  useAwaitedServer()
  return null
}

/** The whole app, with what every part of it needs around it. */
export function App() {
  const [queryClient] = useState(createQueryClient)
  return (
    <ErrorBoundary
      onError={(error) => logEvent('app', { error: String(error) }, 'error')}
      fallbackRender={({ error }) => (
        <ErrorState
          title="Catenary could not be shown"
          headingLevel={1}
          error={error}
          isThrown
          onRetry={() => window.location.reload()}
          className="pt-[30vh]"
        />
      )}
    >
      <QueryClientProvider client={queryClient}>
        <Router aroundNav={navigateWhenLoaded}>
          <AccountDialogsProvider>
            <AppDialogsProvider>
              <AwaitedServer />
              <AppRouter />
            </AppDialogsProvider>
          </AccountDialogsProvider>
        </Router>
        <CopyByHand />
        <Toaster />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
