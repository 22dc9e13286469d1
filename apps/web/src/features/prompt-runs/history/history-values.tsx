import type { PromptRun, ValueOrigin } from '@catenary/contracts'
import { KeyboardIcon, UnlinkIcon } from 'lucide-react'
import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { VariableTypeIcon } from '../../variables/variable-kind.tsx'

type Origins = NonNullable<PromptRun['resolved']>

export function HistoryValues({ origins }: { origins: Origins }) {
  const timeZone = useTimeZone()
  return (
    <section aria-label="Values" className="grid gap-1.5 text-sm">
      <h3 className="text-xs font-medium tracking-normal text-text-3">Values</h3>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {Object.entries(origins).map(([name, origin]) => (
          <li key={name} className="grid gap-0.5 px-3 py-2">
            <div className="flex min-w-0 items-center gap-2">
              <OriginIcon type={origin.type} />
              <span className="prompt-text truncate">{name}</span>
              <span className="ml-auto shrink-0 text-xs text-text-3">{timeOf({ origin, timeZone })}</span>
            </div>
            <p className="text-xs text-text-2 wrap-anywhere">{sourceOf(origin)}</p>
            {origin.error !== null && <p className="text-xs text-danger wrap-anywhere">{reasonOf(origin)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function OriginIcon({ type }: Pick<ValueOrigin, 'type'>) {
  const className = 'size-3.5 shrink-0 text-text-3'
  if (type === 'typed') return <KeyboardIcon aria-hidden="true" className={className} />
  if (type === 'none') return <UnlinkIcon aria-hidden="true" className={className} />
  return <VariableTypeIcon type={type} className={className} />
}

function reasonOf({ type, error }: ValueOrigin): string {
  return type === 'none' ? `${error}` : `Error loading content: ${error}`
}

function sourceOf({ type, source, revision }: ValueOrigin): string {
  if (type === 'typed') return source === null ? 'typed for this run' : `chosen for this run: ${source}`
  if (type === 'none') return 'not in the library'
  const saved = revision === null ? '' : ` · revision ${revision}`
  return source === null ? `the stored text${saved}` : `${source}${saved}`
}

/** A value used again is as old as its fetch. */
function timeOf({ origin, timeZone }: { origin: ValueOrigin; timeZone: string }): string {
  const { type, at, cachedAt, error } = origin
  if (type === 'typed' || type === 'none') return ''
  const time = formatTime({ time: cachedAt ?? at, as: 'second', timeZone })
  if (cachedAt !== null) return `kept since ${time}`
  if (error !== null) return `tried ${time}`
  return type !== 'api' && type !== 'googleDrive' ? `read ${time}` : `fetched ${time}`
}
