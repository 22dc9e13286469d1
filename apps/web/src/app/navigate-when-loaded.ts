import type { AroundNavHandler } from 'wouter'
import { guardedNavigation } from '../lib/forms/leave-guard.ts'
import { toastMissing } from '../lib/parts.ts'
import { pageCodeAt } from './page-parts.ts'

/** A page that takes longer shows that it is on its way. */
const REST_MS = 150

/** Without the network nothing takes long. */
const rest = () =>
  new Promise<void>((resolve) => {
    if (navigator.onLine) setTimeout(resolve, REST_MS)
  })

/** The latest navigation: an earlier one that is still waiting is given up. */
let last = 0

/** When a page's code can't be loaded, the current page stays, with everything typed in it. */
export const navigateWhenLoaded: AroundNavHandler = (navigate, to, options) =>
  guardedNavigation(
    (to, options) => {
      last += 1
      const own = last
      const { pathname } = new URL(to, window.location.href)
      const code = pageCodeAt(pathname)
      const arrive = () => {
        if (own === last) navigate(to, options)
      }
      if (code === undefined || code.here() !== undefined) return arrive()
      const fetch = () =>
        Promise.race([code.load(), rest()]).then(arrive, (error: Error) => {
          if (own === last) toastMissing({ error, onRetry: fetch })
        })
      void fetch()
    },
    to,
    options,
  )
