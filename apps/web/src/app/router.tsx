import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { FirstVisit } from './routes/first-visit.tsx'
import { PageSpinner } from './routes/page-spinner.tsx'
import { ProtectedRoute } from './routes/protected-route.tsx'
import { RouteBoundary } from './routes/route-boundary.tsx'

const AuthRoute = lazy(() => import('./routes/auth-route.tsx'))
const loadFrame = () => import('./frame/frame.tsx')
const Frame = lazy(loadFrame)
const loadLibrary = () => import('./routes/library-route.tsx')
const LibraryRoute = lazy(loadLibrary)
const VariablesRoute = lazy(() => import('./routes/variables-route.tsx'))
const ExecuteRoute = lazy(() => import('./routes/execute-route.tsx'))
const ChainsRoute = lazy(() => import('./routes/chains-route.tsx'))
const ChainRoute = lazy(() => import('./routes/chain-route.tsx'))
const NotFoundPage = lazy(() => import('./routes/not-found-page.tsx'))

/** Fetches the library and its frame beside each other, not one after the other. */
export function preloadLibrary(): void {
  void Promise.all([loadFrame(), loadLibrary()])
}

/** No pattern matches over a line's end, not even that of the last page. */
function useMatchedPath(): string {
  const [path] = useLocation()
  return /^.*$/.test(path) ? path : '/no-such-page'
}

/** Which page an address shows. */
export function AppRouter() {
  const path = useMatchedPath()
  return (
    <Switch location={path}>
      <Route path="/auth">
        <RouteBoundary>
          <AuthRoute />
        </RouteBoundary>
      </Route>
      <Route>
        <Suspense fallback={<PageSpinner />}>
          <Frame>
            <RouteBoundary>
              <Switch location={path}>
                <Route path="/">
                  <FirstVisit>
                    <LibraryRoute />
                  </FirstVisit>
                </Route>
                <Route path="/variables" component={VariablesRoute} />
                <Route path="/chains" component={ChainsRoute} />
                <Route path="/chains/:id" component={ChainRoute} />
                <Route path="/execute/:id">
                  <ProtectedRoute>
                    <ExecuteRoute />
                  </ProtectedRoute>
                </Route>
                <Route component={NotFoundPage} />
              </Switch>
            </RouteBoundary>
          </Frame>
        </Suspense>
      </Route>
    </Switch>
  )
}
