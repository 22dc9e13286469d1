import { ArrowLeftIcon } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from './ui/button.tsx'

/** At the start of a page's header: where the page belongs to. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Button variant="ghost" size="icon" asChild className="-ml-1.5 max-md:ml-0">
      <Link href={href} aria-label={label} title={label}>
        <ArrowLeftIcon />
      </Link>
    </Button>
  )
}
