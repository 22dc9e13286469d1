import { toast } from '../components/ui/toast.tsx'

const STORAGE_KEY = 'catenary.toast'

interface ReloadToast {
  title: string
  description?: string
}

/** Loads the page anew, at another address if given, and shows the toast there. */
export function reloadWithToast({ message, path }: { message: ReloadToast; path?: string }): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(message))
  } catch {}
  if (path) window.location.assign(path)
  else window.location.reload()
}

/** Shows what was left by the page before. */
export function showReloadToast(): void {
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY)
    sessionStorage.removeItem(STORAGE_KEY)
    if (stored) toast(JSON.parse(stored))
  } catch {}
}
