import type { OwnToken, PromptFetch } from '@catenary/contracts'
import { Link } from 'wouter'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from '../../../components/ui/table.tsx'
import { PHONE, useMediaQuery } from '../../../lib/appearance/media-query.ts'
import { errorMessage } from '../../../lib/errors.ts'
import { countOf, useList } from '../../../lib/lists.ts'
import { nameOf } from '../token-texts.ts'
import { clientName } from './client-name.ts'
import { fetchesQuery } from './connect.queries.ts'

export interface FetchedLastProps {
  token: OwnToken
  isOwn: boolean
  onOwn: (isOwn: boolean) => void
}

export function FetchedLast({ token, isOwn, onOwn }: FetchedLastProps) {
  const { list, error, refetch, loadMore } = useList(fetchesQuery(isOwn ? token.id : null))
  return (
    <section aria-labelledby="fetched-last" className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1.5 px-4 pb-1">
        <h3 id="fetched-last" className="text-sm font-semibold tracking-normal text-text-2">
          Fetched last
          {list && list.total > 0 && (
            <span className="pl-1.5 font-normal text-text-3 tabular-nums">{countOf(list)}</span>
          )}
        </h3>
        <SegmentedControl
          aria-label="Through which token"
          value={isOwn ? 'own' : 'all'}
          onValueChange={(value) => onOwn(value === 'own')}
          className="max-w-full"
        >
          <SegmentedControlItem value="all">All tokens</SegmentedControlItem>
          <SegmentedControlItem value="own" className="min-w-0 shrink">
            <span className="max-w-40 truncate">{nameOf(token)}</span>
          </SegmentedControlItem>
        </SegmentedControl>
      </div>
      {error && !list && (
        <div role="alert" className="flex flex-wrap items-center gap-3 px-4 pb-4 text-sm">
          <p className="text-danger wrap-anywhere">This could not be loaded: {errorMessage(error)}</p>
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {!list && !error && <Skeleton className="mx-4 mb-4 h-24" />}
      {list?.items.length === 0 && (
        <p className="px-4 pb-4 text-sm text-text-3">
          Nobody has fetched anything {isOwn ? 'through this token' : ''} yet.
        </p>
      )}
      {list && list.items.length > 0 && <Fetches fetches={list.items} />}
      {list && !list.isWhole && (
        <Button variant="ghost" size="sm" className="m-2 justify-self-center" onClick={loadMore}>
          Show earlier ones
        </Button>
      )}
    </section>
  )
}

function Fetches({ fetches }: { fetches: readonly PromptFetch[] }) {
  const isPhone = useMediaQuery(PHONE)
  if (isPhone) return <FetchList fetches={fetches} />
  return (
    <Table isFramed={false} aria-labelledby="fetched-last" className="min-w-[620px]">
      <TableHeader>
        <tr>
          <TableHead className="pl-4">Client</TableHead>
          <TableHead>Token</TableHead>
          <TableHead>What</TableHead>
          <TableHead>Version</TableHead>
          <TableHead className="pr-4 text-right">When</TableHead>
        </tr>
      </TableHeader>
      <TableBody>
        {fetches.map((fetch) => (
          <TableRow key={fetch.id}>
            <TableCell className="max-w-44 truncate pl-4 font-medium" title={fetch.client}>
              {clientName(fetch.client)}
            </TableCell>
            <TableCell className="max-w-36 truncate text-text-2">{tokenOf(fetch)}</TableCell>
            <TableCell className="max-w-44">
              <Fetched fetch={fetch} />
            </TableCell>
            <TableCell>
              <Version fetch={fetch} />
            </TableCell>
            <TableCell className="pr-4 text-right whitespace-nowrap text-text-2">
              <RelativeTime time={fetch.lastAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function FetchList({ fetches }: { fetches: readonly PromptFetch[] }) {
  return (
    <ul aria-labelledby="fetched-last" className="divide-y divide-line border-t border-line">
      {fetches.map((fetch) => (
        <li key={fetch.id} className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2.5 text-sm">
          <p className="flex min-w-0 items-baseline justify-between gap-3">
            <span className="min-w-0 truncate font-medium">{clientName(fetch.client)}</span>
            <RelativeTime time={fetch.lastAt} className="shrink-0 text-xs text-text-3" />
          </p>
          <div className="flex min-w-0 items-center justify-between gap-3">
            <Fetched fetch={fetch} />
            <Version fetch={fetch} />
          </div>
          <p className="truncate text-xs text-text-3">{tokenOf(fetch)}</p>
        </li>
      ))}
    </ul>
  )
}

function Fetched({ fetch: { promptId, slug, title, kind, count } }: { fetch: PromptFetch }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        href={`/?prompt=${promptId}`}
        title={title}
        className="min-w-0 truncate font-mono text-xs leading-6 underline-offset-3 hover:underline pointer-coarse:leading-11"
      >
        {slug}
      </Link>
      {kind === 'skill' && <Badge>skill</Badge>}
      {count > 1 && <span className="shrink-0 text-xs text-text-3">× {count.toLocaleString('en')}</span>}
    </span>
  )
}

function Version({ fetch: { version, label } }: { fetch: PromptFetch }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="font-mono text-xs tabular-nums">v{version}</span>
      {label !== null && (
        <Badge variant={label === 'production' ? 'accent' : 'neutral'} className="max-w-32 min-w-0">
          <span className="truncate">{label}</span>
        </Badge>
      )}
    </span>
  )
}

const tokenOf = ({ tokenId, tokenName }: PromptFetch): string =>
  tokenId === null ? 'A deleted token' : tokenName?.trim() || 'Unnamed Token'
