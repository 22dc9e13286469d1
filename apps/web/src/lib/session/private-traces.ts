import { useEffect } from 'react'
import { clearLog } from '../diagnostics.ts'

/** How the browser's owner likes it to look, which says nothing of anyone's work. */
const KEPT = new Set(
  ['theme', 'density', 'single-keys', 'visited', 'chain-intro', 'first-steps', 'toast', 'reloadedAt'].map(
    (name) => `catenary.${name}`,
  ),
)
/** Other tabs see it change. */
const LEFT_KEY = 'catenary.loggedOut'

function forgetPrivateTraces(): void {
  clearLog()
  for (const open of [() => localStorage, () => sessionStorage]) {
    try {
      const storage = open()
      for (const key of Object.keys(storage)) if (!KEPT.has(key)) storage.removeItem(key)
    } catch {}
  }
}

/** Forms keep their drafts while a page is left, so it is forgotten once more after them. */
export function forgetOnLeaving(): void {
  forgetPrivateTraces()
  window.addEventListener('pagehide', forgetPrivateTraces, { once: true })
  try {
    localStorage.setItem(LEFT_KEY, String(Date.now()))
  } catch {}
}

/** Who logs out in one tab leaves nothing to be read in the others. */
export function useFollowedLogOut(): void {
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key !== LEFT_KEY || newValue === null) return
      forgetOnLeaving()
      window.location.reload()
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
}
