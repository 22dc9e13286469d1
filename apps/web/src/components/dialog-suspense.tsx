import { type ReactNode, Suspense } from 'react'

/** Around a dialog whose code comes when it is first shown: a dialog already, so that no key is the page's meanwhile. */
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
