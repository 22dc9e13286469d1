import { type ReactNode, useContext } from 'react'
import { FrameMenuContext, FrameStripContext } from './frame-menu.tsx'

export interface PageHeaderProps {
  title: ReactNode
  count?: string | undefined
  start?: ReactNode
  badges?: ReactNode
  search?: ReactNode
  view?: ReactNode
  action?: ReactNode
  details?: ReactNode
}

export function PageHeader({ title, count, start, badges, search, view, action, details }: PageHeaderProps) {
  const menu = useContext(FrameMenuContext)
  const strip = useContext(FrameStripContext)
  return (
    <>
      <header className="relative shrink-0 border-b border-line px-6 max-md:px-2">
        <div className="flex h-14 items-center gap-2 [@media(max-height:20rem)]:h-11">
          <div className="flex items-center md:hidden">{menu}</div>
          {start}
          <h1 dir="auto" className="min-w-0 truncate text-lg font-semibold max-md:leading-5">
            {!start && (
              <span aria-hidden="true" className="block text-xs leading-4 font-normal text-text-3 md:hidden">
                Catenary
              </span>
            )}
            {title}
          </h1>
          {count !== undefined && <span className="ml-0.5 text-base text-text-3 max-md:hidden">{count}</span>}
          {badges}
          <div className="ml-auto flex shrink-0 items-center gap-2.5 max-md:gap-1">
            {search}
            {view}
            {action}
          </div>
        </div>
        {details && <div className="-mt-2 flex min-w-0 items-center gap-3 pb-2">{details}</div>}
      </header>
      {strip}
    </>
  )
}
