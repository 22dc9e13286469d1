import type { ReactNode } from 'react'

/** One named figure of a description list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-text-3">{name}</dt>
      <dd className="wrap-anywhere text-text">{children}</dd>
    </div>
  )
}
