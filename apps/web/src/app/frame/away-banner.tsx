import { CloudOffIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { useServerAway } from '../../lib/session/server-away.ts'

/** Stands above every page until the server answers who uses it. */
export function AwayBanner() {
  const isAway = useServerAway()
  if (!isAway) return null
  return (
    <aside aria-label="Connection">
      <Banner shape="bar" variant="warn" role="status" icon={<CloudOffIcon />} className="max-md:px-4">
        Can’t reach the server
      </Banner>
    </aside>
  )
}
