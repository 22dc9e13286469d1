import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { type AroundNavHandler, Router } from 'wouter'
import { CopyByHand } from '../components/copy/copy-by-hand.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { Toaster } from '../components/toaster.tsx'
import { AccountDialogsProvider } from '../features/accounts/account-dialogs-provider.tsx'
import { ByName } from '../features/accounts/by-name.tsx'
import { logEvent } from '../lib/diagnostics.ts'
import { guardedNavigation } from '../lib/forms/leave-guard.ts'
import { toastMissing } from '../lib/parts.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { useAwaitedServer } from '../lib/session/use-awaited-server.ts'
import { AppDialogsProvider } from './app-dialogs-provider.tsx'
import { pageCodeAt } from './page-parts.ts'
import { AppRouter } from './router.tsx'

/** A page that takes longer shows a spinner. */
const PAGE_REST_MS = 150
const rest = () =>
  new Promise<void>((resolve) => {
    if (navigator.onLine) setTimeout(resolve, PAGE_REST_MS)
  })
let lastNavigation = 0
/** When a page's code can't be loaded, the current page stays, with everything typed in it. */
const navigateWhenLoaded: AroundNavHandler = (navigate, to, options) =>
  guardedNavigation(
    (to, options) => {
      lastNavigation += 1
      const own = lastNavigation
      const { pathname } = new URL(to, window.location.href)
      const code = pageCodeAt(pathname)
      const arrive = () => {
        if (own === lastNavigation) navigate(to, options)
      }
      if (code === undefined || code.here() !== undefined) return arrive()
      const fetch = () =>
        Promise.race([code.load(), rest()]).then(arrive, (error: Error) => {
          if (own === lastNavigation) toastMissing({ error, onRetry: fetch })
        })
      void fetch()
    },
    to,
    options,
  )

function AwaitedServer() {
  useAwaitedServer()
  return null
}

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
        <Toaster describe={(text) => <ByName text={text} />} />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
