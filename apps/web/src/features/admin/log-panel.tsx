import { DownloadIcon } from 'lucide-react'
import { Fragment, useState, useSyncExternalStore } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Time } from '../../components/time/time.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { clearLog, LOG_CAPACITY, type LogEntry, type LogLevel, logStore } from '../../lib/diagnostics.ts'

const SHOWN_FIRST = 100
const FILTERS = {
  all: { label: 'All', levels: ['debug', 'info', 'warn', 'error'] },
  trouble: { label: 'Warnings and errors', levels: ['warn', 'error'] },
} satisfies Record<string, { label: string; levels: LogLevel[] }>
const BADGES = { debug: 'outline', info: 'neutral', warn: 'warn', error: 'danger' } as const

export function LogPanel() {
  const entries = useSyncExternalStore(logStore.subscribe, logStore.getSnapshot)
  const [filter, setFilter] = useState<keyof typeof FILTERS>('all')
  const [showsAll, setShowsAll] = useState(false)
  const levels: readonly LogLevel[] = FILTERS[filter].levels
  const found = entries
    .map((entry, number) => ({ entry, number }))
    .filter(({ entry }) => levels.includes(entry.level))
    .reverse()
  const shown = showsAll ? found : found.slice(0, SHOWN_FIRST)
  return (
    <section aria-labelledby="log" className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="log" className="text-md font-semibold">
            Client diagnostics
          </h2>
          <p className="text-sm text-text-2">
            The last {entries.length} entries from this browser, at most {LOG_CAPACITY}. They never leave it.
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <SegmentedControl aria-label="Entries" value={filter} onValueChange={setFilter}>
            {Object.entries(FILTERS).map(([name, { label }]) => (
              <SegmentedControlItem key={name} value={name}>
                {label}
              </SegmentedControlItem>
            ))}
          </SegmentedControl>
          <div className="flex gap-2">
            <Button variant="secondary" disabled={entries.length === 0} onClick={() => downloadLog(entries)}>
              <DownloadIcon />
              Download
            </Button>
            <Button variant="ghost" disabled={entries.length === 0} onClick={clearLog}>
              Clear
            </Button>
          </div>
        </div>
      </div>
      {found.length === 0 ? (
        <EmptyState
          title="No entries"
          about="administering"
          className="rounded-card border border-line py-8"
        />
      ) : (
        <ol aria-label="Entries" className="divide-y divide-line rounded-card border border-line">
          {shown.map(({ entry, number }) => (
            <LogRow key={number} entry={entry} />
          ))}
        </ol>
      )}
      {shown.length < found.length && (
        <Button variant="ghost" className="justify-self-center" onClick={() => setShowsAll(true)}>
          Show all {found.length}
        </Button>
      )}
    </section>
  )
}

function LogRow({ entry: { at, level, event, data } }: { entry: LogEntry }) {
  return (
    <li className="grid grid-cols-[9.5rem_3.5rem_11rem_1fr] items-baseline gap-x-3 px-3.5 py-1.5 text-sm max-md:grid-cols-[auto_1fr_auto] max-md:gap-y-1">
      <Time time={at} as="second" className="text-xs text-text-3 max-md:order-1 max-md:text-right" />
      <Badge variant={BADGES[level]} className="justify-self-start">
        {level}
      </Badge>
      <span className="min-w-0 font-medium wrap-anywhere">{event}</span>
      <code className="prompt-text min-w-0 text-text-2 wrap-anywhere max-md:order-2 max-md:col-span-3">
        <EntryData data={data} />
      </code>
    </li>
  )
}

function EntryData({ data }: { data: unknown }) {
  if (data === undefined) return null
  if (typeof data !== 'object' || data === null) return String(data)
  return Object.entries(data).map(([name, value], index) => (
    <Fragment key={name}>
      {index > 0 && ' '}
      <span className="text-text-3">{name}=</span>
      {typeof value === 'string' ? value : JSON.stringify(value)}
    </Fragment>
  ))
}

function downloadLog(entries: readonly LogEntry[]): void {
  const at = new Date().toISOString()
  const { userAgent, language } = navigator
  const log = { at, userAgent, language, entries }
  const url = URL.createObjectURL(new Blob([JSON.stringify(log, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `catenary-log-${at.slice(0, 19).replaceAll(':', '-')}.json`
  link.click()
  URL.revokeObjectURL(url)
}
