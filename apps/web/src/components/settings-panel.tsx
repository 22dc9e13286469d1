import type { ReactNode } from 'react'

export interface SettingsPanelProps {
  title: string
  description?: ReactNode
  /** Right of the title. */
  action?: ReactNode
  children: ReactNode
}

/** One page of a settings dialog. */
export function SettingsPanel({ title, description, action, children }: SettingsPanelProps) {
  return (
    <section aria-label={title} className="grid content-start gap-4">
      <header className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2.5">
        <div className="grid gap-0.5">
          <h3 className="text-md font-semibold">{title}</h3>
          {description && <p className="text-sm text-text-2">{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}

/** A bordered list of things, one row each. */
export function SettingsRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-card border border-line">
      {children}
    </ul>
  )
}
