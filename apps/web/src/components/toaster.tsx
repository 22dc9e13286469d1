import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastStore } from '../lib/toast.ts'

const ToastViewport = lazy(() => import('./toast-viewport.tsx'))

/** Once in the app; what shows toasts is loaded with the first one. */
export function Toaster() {
  const isNeeded = useSyncExternalStore(toastStore.subscribe, () => toastStore.getSnapshot().length > 0)
  return isNeeded ? (
    <Suspense>
      <ToastViewport />
    </Suspense>
  ) : null
}
