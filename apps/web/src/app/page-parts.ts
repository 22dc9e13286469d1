import type { ReactNode } from 'react'
import { part } from '../components/part.tsx'
import { pageAt, SECTIONS } from './pages.ts'

export const AuthRoute = part(() => import('./routes/auth-route.tsx'), {
  isAhead: false,
  isPage: true,
})

const Unguarded = ({ children }: { children: ReactNode }) => children

export const PAGES = SECTIONS.flatMap(({ pages }) => pages).map(
  ({ path, purpose, load, isAhead = false, Guard = Unguarded }) => ({
    path,
    purpose,
    Guard,
    Page: part(load, { isAhead, isPage: true }),
  }),
)

export function pageCodeAt(pathname: string) {
  if (pathname === '/auth') return AuthRoute.code
  const path = pageAt(pathname)?.path
  return PAGES.find((page) => page.path === path)?.Page.code
}
