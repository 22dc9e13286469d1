import { ArrowLeftIcon } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '../../components/ui/button.tsx'

export function BackToChains() {
  return (
    <Button variant="ghost" size="icon" asChild className="-ml-1.5 max-md:ml-0">
      <Link href="/chains" aria-label="Back to chains">
        <ArrowLeftIcon />
      </Link>
    </Button>
  )
}
