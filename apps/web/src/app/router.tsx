import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { PageSpinner } from './page-spinner.tsx'
import { ProtectedRoute } from './protected-route.tsx'
import { RouteBoundary } from './route-boundary.tsx'

const AuthRoute = lazy(() => import('./auth-route.tsx'))
const Frame = lazy(() => import('./frame.tsx'))
const LibraryRoute = lazy(() => import('./library-route.tsx'))
const VariablesRoute = lazy(() => import('./variables-route.tsx'))
const ChainsPage = lazy(() => import('./chains-page.tsx'))
const NotFoundPage = lazy(() => import('./not-found-page.tsx'))

/** Which page an address shows. */
export function AppRouter() {
  return (
    <Switch>
      <Route path="/auth">
        <RouteBoundary>
          <AuthRoute />
        </RouteBoundary>
      </Route>
      <Route>
        <Suspense fallback={<PageSpinner />}>
          <Frame>
            <RouteBoundary>
              <Switch>
                <Route path="/" component={LibraryRoute} />
                <Route path="/variables" component={VariablesRoute} />
                <Route path="/chains/:id?/:page?" component={ChainsPage} />
                <Route path="/execute/:id">{() => <ProtectedRoute>…</ProtectedRoute>}</Route>
                <Route component={NotFoundPage} />
              </Switch>
            </RouteBoundary>
          </Frame>
        </Suspense>
      </Route>
    </Switch>
  )
}
