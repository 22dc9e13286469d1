import { type ReactNode, Suspense } from 'react'

/** Wraps a lazily loaded dialog: it is a dialog already, so that the page gets no keys meanwhile. */
export function DialogSuspense({ children }: { children: ReactNode }) {
  return <Suspense fallback={<DialogOnItsWay />}>{children}</Suspense>
}

function DialogOnItsWay() {
  return (
    <div
      role="dialog"
      aria-label="Loading"
      aria-busy="true"
      className="fixed inset-0 z-50 animate-late bg-scrim"
    />
  )
}
