import { Suspense, useSyncExternalStore } from 'react'
import { toastStore } from '../lib/toast.ts'
import { part } from './part.tsx'

const ToastViewport = part(() => import('./toast-viewport.tsx'), { isSilent: true })

export function Toaster() {
  const isNeeded = useSyncExternalStore(toastStore.subscribe, () => toastStore.getSnapshot().length > 0)
  return isNeeded ? (
    <Suspense>
      <ToastViewport />
    </Suspense>
  ) : null
}
