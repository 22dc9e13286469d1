import { ACTIVITY_COUNTED, type QueueState } from '@catenary/contracts'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'

const numberText = (count: number) =>
  `${count.toLocaleString('en')}${count >= ACTIVITY_COUNTED ? ' or more' : ''}`

export function QueueRow({
  queue: { queue, due, later, failing, held, oldestDueAt },
}: {
  queue: QueueState
}) {
  const parts = [
    { count: held, text: 'running' },
    { count: due, text: 'due' },
    { count: later, text: 'later' },
  ].filter(({ count }) => count > 0)
  return (
    <li className="grid gap-0.5 px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium wrap-anywhere">
        {queue}
        {failing > 0 && <Badge variant="danger">{numberText(failing)} failing</Badge>}
      </p>
      <p className="text-xs text-text-3">
        {parts.map(({ count, text }) => `${numberText(count)} ${text}`).join(' · ')}
        {oldestDueAt !== null && (
          <>
            {' · '}due since <RelativeTime time={oldestDueAt} />
          </>
        )}
      </p>
    </li>
  )
}
