import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { SECTIONS } from './pages.ts'
import { loadFrame } from './router.tsx'
import { openApp } from './testing/open-app.tsx'

beforeAll(loadFrame)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Pages that need nothing of the server. */
const READY = ['/docs', '/docs/:id', '/settings']
const paths = SECTIONS.flatMap(({ pages }) => pages.map(({ path }) => path))

test.each(paths)(
  'Before its data is there, every page shows its title and where its content will be. (%s)',
  async (path) => {
    const id = path.startsWith('/settings') ? 'sessions' : '1'
    await openApp({
      path: path.replace(':id', id),
      unanswered: /^\/api\/(?!user$|instance$|first-steps$|account$)/,
    })
    const main = screen.getByRole('main')
    await waitFor(() => {
      const titles = [...main.querySelectorAll('h1')]
      expect(titles).toHaveLength(1)
      expect(titles[0]?.closest('.sr-only')).toBeNull()
    })
    if (!READY.includes(path)) await waitFor(() => expect(main.querySelector('.bg-skeleton')).toBeTruthy())
    expect(main.querySelector('.animate-spin')).toBeNull()
  },
)

test.each(paths)(
  'Where who is signed in is not known yet, a page has its title already. (%s)',
  async (path) => {
    const opened = openApp({ path: path.replace(':id', '1'), unanswered: /^\/api\//, until: 'Log in' })
    opened.catch(() => undefined)
    await waitFor(() => expect(document.querySelector('main h1:not(.sr-only)')?.textContent).toBeTruthy())
    expect(document.querySelector('main .animate-spin')).toBeNull()
  },
)
