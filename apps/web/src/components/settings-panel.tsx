import { ArrowLeftIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PHONE, useMediaQuery } from '../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { cn } from '../lib/utils.ts'
import { PageHeader } from './page-header.tsx'
import { Button } from './ui/button.tsx'

export interface SettingsPanelProps {
  title: string
  /** How many there are, beside the title. */
  count?: string | undefined
  description?: ReactNode
  /** Right of the title; on phones below it. */
  action?: ReactNode
  /** It takes all the width that there is. */
  isWide?: boolean
  /** Nothing on it may take the focus, so the page does: what scrolls is to be scrolled by keys. */
  isReadOnly?: boolean
  children: ReactNode
}

export function SettingsPanel({
  title,
  count,
  description,
  action,
  isWide = false,
  isReadOnly = false,
  children,
}: SettingsPanelProps) {
  const isPhone = useMediaQuery(PHONE)
  useDocumentTitle(`${title} – Settings`)
  return (
    <>
      <PageHeader
        title={title}
        count={count}
        start={
          <Button asChild variant="ghost" size="icon" className="lg:hidden">
            <Link href="/settings" aria-label="All settings">
              <ArrowLeftIcon />
            </Link>
          </Button>
        }
        action={isPhone ? undefined : action}
      />
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
        <section
          aria-label={title}
          tabIndex={isReadOnly ? 0 : undefined}
          className={cn(
            'grid content-start gap-4 px-6 pt-5 pb-16 outline-offset-[-3px] max-md:px-4',
            !isWide && 'max-w-[688px]',
          )}
        >
          {isPhone && action}
          {description && <p className="text-sm text-text-2">{description}</p>}
          {children}
        </section>
      </div>
    </>
  )
}

export function SettingsPart({
  title,
  description,
  action,
  children,
}: Pick<SettingsPanelProps, 'title' | 'description' | 'action' | 'children'>) {
  return (
    <section
      aria-label={title}
      className="grid content-start gap-4 not-first:mt-2 not-first:border-t not-first:border-line not-first:pt-6"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2.5">
        <div className="grid gap-0.5">
          <h2 className="text-md font-semibold">{title}</h2>
          {description && <p className="text-sm text-text-2">{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}

export function SettingsRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-card border border-line">
      {children}
    </ul>
  )
}
