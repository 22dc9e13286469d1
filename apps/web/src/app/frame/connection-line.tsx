import { useQuery } from '@tanstack/react-query'
import { CloudOffIcon, DatabaseIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ByName } from '../../features/accounts/by-name.tsx'
import { useInstance } from '../../lib/instance.ts'
import { useOnline, useServerAway } from '../../lib/session/server-away.ts'
import { sessionQuery } from '../../lib/session/session.tsx'

const READ_ONLY = {
  moving:
    'Catenary is being moved to another database. You can read everything, and you can save and run again in a few minutes.',
  moved:
    'Catenary has moved to another database, so this copy is read-only. Ask an administrator for the new address.',
}

/** Above every page, in one line: why nothing can be saved just now. */
export function ConnectionLine() {
  const isOnline = useOnline()
  const isAway = useServerAway()
  const readOnly = useInstance()?.readOnly
  if (!isOnline || isAway) return <Lost isOnline={isOnline} />
  if (!readOnly) return null
  return (
    <aside aria-label="Read only">
      <Banner shape="bar" variant="warn" icon={<DatabaseIcon />} className="max-md:px-4">
        <ByName text={READ_ONLY[readOnly]} />
      </Banner>
    </aside>
  )
}

function Lost({ isOnline }: { isOnline: boolean }) {
  const { refetch, isFetching } = useQuery({ ...sessionQuery, enabled: false })
  return (
    <aside aria-label="Connection">
      <Banner
        shape="bar"
        variant="warn"
        role="status"
        icon={<CloudOffIcon />}
        className="max-md:px-4"
        action={
          isOnline && (
            <Button
              variant="link"
              pending={isFetching}
              onClick={() => void refetch()}
              className="text-warn underline"
            >
              {isFetching ? 'Reconnecting…' : 'Try again'}
            </Button>
          )
        }
      >
        {isOnline
          ? 'Can’t reach the server'
          : 'You are offline. This page will continue when you are back online.'}
      </Banner>
    </aside>
  )
}
