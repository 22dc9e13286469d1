import { type ActivityFilter, type ActivityRow, activityRow, activityState } from '@catenary/contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { DownloadIcon, HistoryIcon, ShieldCheckIcon } from 'lucide-react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { NothingFound } from '../../../components/nothing-found.tsx'
import { SettingsPanel } from '../../../components/settings-panel.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { api, apiPath } from '../../../lib/api.ts'
import { apiList, countOf, useList } from '../../../lib/lists.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityItem } from './activity-item.tsx'
import { isFiltered, NO_FILTER, useActivityView } from './activity-view.ts'

const PAGE = 100

type ActivityExtent = 'own' | 'all'

const KEYS = { own: 'GET /api/activity', all: 'GET /api/admin/activity' } as const

function activityQuery(extent: ActivityExtent, filter: ActivityFilter) {
  const list = apiList(KEYS[extent], {
    queryKey: ['activity', extent, filter],
    query: { ...filter, limit: PAGE },
    list: activityRow,
  })
  // Others act without an action of this page.
  return { ...list, staleTime: 0 }
}

const activityFile = (extent: ActivityExtent, filter: ActivityFilter): string =>
  apiPath(KEYS[extent], { query: { ...filter, format: 'csv' } })

const activityStateQuery = queryOptions({
  queryKey: ['activity', 'state'],
  queryFn: ({ signal }) => api('GET /api/activity/state', { reply: activityState, signal }),
  staleTime: 0,
})

/** Administrators see everyone's; others what they did, and what was done to what is theirs. */
export default function ActivityPanel() {
  const { isAdmin } = useSession()
  const extent: ActivityExtent = isAdmin ? 'all' : 'own'
  const { view, filter, open, changeAddress } = useActivityView()
  const { list, error, refetch, loadMore, isCutShort, retryMore } = useList(activityQuery(extent, filter))
  return (
    <SettingsPanel
      isWide
      title="Activity"
      count={list && countOf(list)}
      description={
        <>
          {isAdmin
            ? 'Who did what, to what, when and how they came in.'
            : 'What you did, and what others did to what is yours.'}{' '}
          <LearnMore about="activity" />
        </>
      }
      action={
        <Button asChild variant="secondary">
          <a href={activityFile(extent, filter)} download>
            <DownloadIcon />
            Export CSV
          </a>
        </Button>
      }
    >
      <ChainState />
      <ActivityFilters
        view={view}
        isAdmin={isAdmin}
        onChange={(change) => changeAddress({ open: null, ...change }, { replace: true })}
      />
      {error ? (
        <ErrorState error={error} onRetry={refetch} className="py-6" />
      ) : list === undefined ? (
        <Skeleton className="h-96" />
      ) : list.items.length > 0 ? (
        <>
          <Days
            rows={list.items}
            open={open}
            onToggle={(id) => changeAddress({ open: id === open ? null : id }, { replace: true })}
          />
          {!list.isWhole && (
            <Button
              variant="secondary"
              className="justify-self-start"
              onClick={isCutShort ? retryMore : loadMore}
            >
              {isCutShort ? 'Try again' : 'Show older'}
            </Button>
          )}
        </>
      ) : isFiltered(view) ? (
        <NothingFound
          title="Nothing found"
          description="Nothing that was done matches these filters."
          onClear={() => changeAddress(NO_FILTER)}
        />
      ) : (
        <EmptyState
          icon={<HistoryIcon />}
          title="Nothing yet"
          about="activity"
          description="Changes and sign-ins appear here as they happen."
        />
      )}
    </SettingsPanel>
  )
}

function ChainState() {
  const { data } = useQuery(activityStateQuery)
  if (data === undefined) return <p className="h-5" />
  const { linkedUntil, keptDays } = data
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-text-2">
      {linkedUntil !== null && (
        <span className="flex items-center gap-1.5">
          <ShieldCheckIcon className="size-4 shrink-0 text-ok" />
          <span>
            Tamper-evident up to <Time time={linkedUntil} />
          </span>
        </span>
      )}
      <span>{keptDays === null ? 'Kept forever.' : `Kept for ${keptDays} days.`}</span>
    </p>
  )
}

interface DaysProps {
  rows: ActivityRow[]
  open: number | null
  onToggle: (id: number) => void
}

function Days({ rows, open, onToggle }: DaysProps) {
  const timeZone = useTimeZone()
  const days = new Map<string, ActivityRow[]>()
  for (const row of rows) {
    const day = formatTime({ time: row.at, as: 'weekdayAndYear', timeZone })
    days.set(day, [...(days.get(day) ?? []), row])
  }
  return (
    <div className="overflow-hidden rounded-card border border-line">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day} className="not-first:border-t not-first:border-line">
          <h2 className="border-b border-line bg-inset px-3.5 py-1.5 text-xs font-medium text-text-2">
            {day}
          </h2>
          <ul className="divide-y divide-line">
            {ofDay.map((row) => (
              <ActivityItem
                key={row.id}
                row={row}
                isOpen={row.id === open}
                onToggle={() => onToggle(row.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
