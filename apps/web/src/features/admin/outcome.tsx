import { CircleCheckIcon, CircleXIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function Outcome({ ok = false, children }: { ok?: boolean; children: ReactNode }) {
  const Icon = ok ? CircleCheckIcon : CircleXIcon
  return (
    <p className={`flex gap-1.5 text-xs ${ok ? 'text-ok' : 'text-danger'}`}>
      <Icon className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
