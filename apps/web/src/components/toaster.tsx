import { Suspense, useSyncExternalStore } from 'react'
import { toastStore } from '../lib/toast.ts'
import { part } from './part.tsx'
import type { ToastViewportProps } from './toast-viewport.tsx'

const ToastViewport = part(() => import('./toast-viewport.tsx'), { isSilent: true })

export function Toaster(props: ToastViewportProps) {
  const isNeeded = useSyncExternalStore(toastStore.subscribe, () => toastStore.getSnapshot().length > 0)
  return isNeeded ? (
    <Suspense>
      <ToastViewport {...props} />
    </Suspense>
  ) : null
}
