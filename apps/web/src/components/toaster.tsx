import { Suspense, useSyncExternalStore } from 'react'
import { toastStore } from '../lib/toast.ts'
import { part } from './part.tsx'

const ToastViewport = part(() => import('./toast-viewport.tsx'), { isSilent: true })

/** Once in the app; what shows toasts is loaded with the first one. */
export function Toaster() {
  const isNeeded = useSyncExternalStore(toastStore.subscribe, () => toastStore.getSnapshot().length > 0)
  return isNeeded ? (
    <Suspense>
      <ToastViewport />
    </Suspense>
  ) : null
}
