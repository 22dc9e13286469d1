import { Fragment, lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { LIBRARY, SECTIONS } from './pages.ts'
import { PageSpinner } from './routes/page-spinner.tsx'
import { RouteBoundary } from './routes/route-boundary.tsx'

const AuthRoute = lazy(() => import('./routes/auth-route.tsx'))
const loadFrame = () => import('./frame/frame.tsx')
const Frame = lazy(loadFrame)
const NotFoundPage = lazy(() => import('./routes/not-found-page.tsx'))
const ROUTES = SECTIONS.flatMap(({ pages }) => pages).map(({ path, load, Guard = Fragment }) => ({
  path,
  Guard,
  Page: lazy(load),
}))

/** Fetches the library and its frame beside each other, not one after the other. */
export function preloadLibrary(): void {
  void Promise.all([loadFrame(), LIBRARY.load()])
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
                {ROUTES.map(({ path, Guard, Page }) => (
                  <Route key={path} path={path}>
                    <Guard>
                      <Page />
                    </Guard>
                  </Route>
                ))}
                <Route component={NotFoundPage} />
              </Switch>
            </RouteBoundary>
          </Frame>
        </Suspense>
      </Route>
    </Switch>
  )
}
