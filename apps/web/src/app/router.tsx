import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { part } from '../components/part.tsx'
import { AuthRoute, PAGES, pageCodeAt } from './page-parts.ts'
import { RouteBoundary } from './routes/route-boundary.tsx'

const Frame = part(() => import('./frame/frame.tsx'), { isAhead: false })
const NotFoundPage = part(() => import('./routes/not-found-page.tsx'), {
  isAhead: false,
  isPage: true,
})

export const loadFrame = (): Promise<unknown> => Frame.code.load()

export function preloadLibrary(): void {
  for (const code of [Frame.code, pageCodeAt('/')]) code?.load().catch(() => undefined)
}

/** Patterns don't match across a line's end, not even the last page's. */
function useMatchedPath(): string {
  const [path] = useLocation()
  return /^.*$/.test(path) ? path : '/no-such-page'
}

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
        <Suspense fallback={<FrameSkeleton />}>
          <Frame>
            <RouteBoundary>
              <Switch location={path}>
                {PAGES.map(({ path, purpose, Guard, Page }) => (
                  <Route key={path} path={path}>
                    <Guard purpose={purpose}>
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

/** As the page itself has it before the app is there. */
function FrameSkeleton() {
  return (
    <div role="status" className="flex h-dvh">
      <div className="w-64 border-r border-line max-md:hidden" />
      <h1 className="flex h-14 flex-1 items-center border-b border-line px-6 text-lg font-semibold text-text-3">
        Catenary
      </h1>
    </div>
  )
}
