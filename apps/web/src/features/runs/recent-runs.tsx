import { Link } from 'wouter'
import { cn } from '../../lib/utils.ts'
import { formatSeconds } from './format-metrics.ts'

interface RecentRun {
  id: number
  status: 'running' | 'completed' | 'failed' | 'cancelled'
  durationMs: number | null
}

const SHOWN_MAX = 20
const HEIGHT = 24
const [WIDTH, GAP] = [4, 2]
/** In pixels: a run of no time is still seen. */
const HEIGHT_MIN = 3

const FILLS: Record<RecentRun['status'], string> = {
  running: 'fill-accent/40',
  completed: 'fill-accent',
  failed: 'fill-danger',
  cancelled: 'fill-line-strong',
}

export function RecentRuns({
  runs,
  href,
  className,
}: {
  runs: readonly RecentRun[]
  href: string
  className?: string
}) {
  const shown = runs.slice(0, SHOWN_MAX).toReversed()
  // One bar has nothing to be compared with.
  if (shown.length < 2) return null
  const longest = Math.max(1, ...shown.map(({ durationMs }) => durationMs ?? 0))
  const failed = shown.filter(({ status }) => status === 'failed').length
  const words = `The last ${shown.length} runs: ${failed} failed, the longest took ${formatSeconds(longest)} s`
  return (
    <Link
      href={href}
      aria-label={words}
      title={words}
      className={cn(
        'flex h-8 min-w-6 shrink-0 items-center justify-center rounded-control px-1.5 hover:bg-hover pointer-coarse:h-11 pointer-coarse:min-w-11',
        className,
      )}
    >
      <svg aria-hidden="true" width={shown.length * (WIDTH + GAP) - GAP} height={HEIGHT} className="block">
        {shown.map(({ id, status, durationMs }, place) => {
          const height = Math.max(HEIGHT_MIN, ((durationMs ?? 0) / longest) * HEIGHT)
          return (
            <rect
              key={id}
              x={place * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={1}
              className={FILLS[status]}
            />
          )
        })}
      </svg>
    </Link>
  )
}
