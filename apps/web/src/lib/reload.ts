import { toast } from './toast.ts'

const STORAGE_KEY = 'catenary.toast'

interface ReloadToast {
  title: string
  description?: string
}

export function reloadWithToast({ message, path }: { message: ReloadToast; path?: string }): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(message))
  } catch {}
  if (path) window.location.assign(path)
  else window.location.reload()
}

export function showReloadToast(): void {
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY)
    sessionStorage.removeItem(STORAGE_KEY)
    if (stored) toast(JSON.parse(stored))
  } catch {}
}

const RELOADED_AT_KEY = 'catenary.reloadedAt'
/** A part that is missing again so soon after a reload is missing for good. */
const RELOAD_PAUSE_MS = 10_000

export async function reloadOnce(): Promise<void> {
  const now = Date.now()
  try {
    if (now - Number(sessionStorage.getItem(RELOADED_AT_KEY)) < RELOAD_PAUSE_MS) return
    sessionStorage.setItem(RELOADED_AT_KEY, String(now))
  } catch {
    // Nothing would stop it from reloading forever.
    return
  }
  window.location.reload()
  await new Promise(() => undefined)
}
