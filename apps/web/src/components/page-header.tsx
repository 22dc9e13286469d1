import type { ReactNode } from 'react'

export interface PageHeaderProps {
  title: ReactNode
  /** How many there are, beside the title. */
  count?: number | undefined
  /** Left of the title, such as a way back. */
  start?: ReactNode
  /** Right of the title, such as badges. */
  badges?: ReactNode
  search?: ReactNode
  view?: ReactNode
  /** The primary action. */
  action?: ReactNode
}

/** The one header row of a page; on phones the frame's menu button sits at its left. */
export function PageHeader({ title, count, start, badges, search, view, action }: PageHeaderProps) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4 max-md:pl-15 md:px-6">
      {start}
      <h1 className="min-w-0 truncate text-lg font-semibold">{title}</h1>
      {count !== undefined && <span className="ml-1 text-base text-text-3">{count}</span>}
      {badges}
      <div className="ml-auto flex items-center gap-2.5">
        {search}
        {view}
        {action}
      </div>
    </header>
  )
}
