import type { OwnToken } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CheckIcon, TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { ownTokensQuery } from '../tokens.queries.ts'
import { clientName } from './client-name.ts'
import { hasFailedLast } from './connect-texts.ts'

const ASKED_EVERY_MS = 3_000

interface FirstCallProps {
  tokenId: number
  /** Whose call is awaited; null: whichever program’s. */
  client: string | null
  /** Says nothing of a token that was used before. */
  isOfNewOnly?: boolean
}

/** Waits for a token's first call, while the page is in view, and says which client came. */
export function FirstCall({ tokenId, client, isOfNewOnly = false }: FirstCallProps) {
  const usedIn = (tokens: readonly OwnToken[] | undefined) => tokens?.find(({ id }) => id === tokenId)
  const { data: tokens } = useQuery({
    ...ownTokensQuery,
    // The page has just asked.
    refetchOnMount: false,
    refetchInterval: ({ state }) => (usedIn(state.data)?.lastUsed == null ? ASKED_EVERY_MS : false),
  })
  const token = usedIn(tokens)
  const [hasWaited, setHasWaited] = useState(false)
  const isWaiting = token?.lastUsed === null
  if (isWaiting && !hasWaited) setHasWaited(true)
  return (
    <p role="status" className="flex min-h-6 min-w-0 items-center gap-2 text-sm">
      {isWaiting && (
        <>
          <span aria-hidden className="size-2 shrink-0 rounded-full border border-line-strong" />
          <span className="text-text-2">
            Waiting for the first call{client !== null && ` from ${client}`}
          </span>
        </>
      )}
      {token && !isWaiting && (hasWaited || !isOfNewOnly) && <Arrived token={token} isNew={hasWaited} />}
    </p>
  )
}

function Arrived({ token, isNew }: { token: OwnToken; isNew: boolean }) {
  const { lastUsed, lastClient, lastError } = token
  const name = lastClient === null ? 'A program' : withoutVersion(clientName(lastClient))
  if (hasFailedLast(token)) {
    return (
      <>
        <TriangleAlertIcon aria-hidden className="size-4 shrink-0 text-danger" />
        <span className="min-w-0 text-danger wrap-anywhere">
          {name} called and was refused: {lastError?.message}
        </span>
      </>
    )
  }
  return (
    <>
      <CheckIcon aria-hidden className="size-4 shrink-0 text-ok" />
      <span className={isNew ? 'font-medium text-ok' : 'text-text-2'}>{name} connected</span>
      {!isNew && lastUsed !== null && (
        <span className="text-text-3">
          last call <RelativeTime time={lastUsed} />
        </span>
      )}
    </>
  )
}

const withoutVersion = (client: string): string => client.replace(/\s+v?\d[\w.+-]*$/, '')
