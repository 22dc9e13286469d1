import type { BackupsState } from '@catenary/contracts'
import { Time } from '../../../components/time/time.tsx'
import { formatBytes } from '../../../lib/text/bytes.ts'

const [WIDTH, HEIGHT, PAD] = [240, 72, 4]
type Night = BackupsState['nights'][number]

export function SizeCard({ state: { nights } }: { state: BackupsState }) {
  const made = nights.filter((night): night is Night & { bytes: number } => night.bytes !== null)
  const [first, last] = [made[0], made.at(-1)]
  if (first === undefined || last === undefined || made.length < 2) return null
  const missed = nights.length - made.length
  return (
    <section aria-label="Size" className="rounded-card border border-line text-sm">
      <header className="flex justify-between border-b border-line px-3.5 py-2.5">
        <h2 className="font-semibold">
          Size <span className="ml-1 font-normal text-text-2">30 days</span>
        </h2>
        <span className="font-semibold tabular-nums">{formatBytes(last.bytes)}</span>
      </header>
      <div className="grid gap-1 px-3.5 py-3">
        <svg
          role="img"
          aria-label={`From ${formatBytes(first.bytes)} to ${formatBytes(last.bytes)}; ${missed} failed`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          className="block w-full"
        >
          <Plot nights={nights} />
        </svg>
        <p className="flex justify-between text-xs text-text-2">
          <span>
            <Time time={first.at} as="shortDay" />, {formatBytes(first.bytes)}
          </span>
          <Time time={last.at} as="shortDay" />
        </p>
      </div>
    </section>
  )
}

function Plot({ nights }: { nights: readonly Night[] }) {
  const most = Math.max(...nights.map(({ bytes }) => bytes ?? 0))
  const x = (place: number) => PAD + (place / Math.max(1, nights.length - 1)) * (WIDTH - 2 * PAD)
  const y = (bytes: number) => HEIGHT - (bytes / most) * (HEIGHT - 2 * PAD)
  return (
    <>
      {stretchesOf(nights).map((stretch) => {
        const line = stretch.map(({ place, bytes }) => `${x(place)},${y(bytes)}`).join(' ')
        const [from, to] = [x(stretch[0]?.place ?? 0), x(stretch.at(-1)?.place ?? 0)]
        return (
          <g key={from}>
            <polygon points={`${from},${HEIGHT} ${line} ${to},${HEIGHT}`} className="fill-accent-soft" />
            <polyline points={line} className="fill-none stroke-accent" strokeWidth={1.5} />
          </g>
        )
      })}
      {nights.map(
        ({ at, bytes }, place) =>
          bytes === null && (
            <g key={at} className="fill-danger stroke-danger">
              <line x1={x(place)} x2={x(place)} y1={2 * PAD} y2={HEIGHT} strokeDasharray="2 3" />
              <circle cx={x(place)} cy={2 * PAD} r={2.5} />
            </g>
          ),
      )}
    </>
  )
}

/** Nights in a row that have a copy. */
function stretchesOf(nights: readonly Night[]): { place: number; bytes: number }[][] {
  const stretches: { place: number; bytes: number }[][] = [[]]
  for (const [place, { bytes }] of nights.entries()) {
    if (bytes === null) stretches.push([])
    else stretches.at(-1)?.push({ place, bytes })
  }
  return stretches.filter(({ length }) => length > 0)
}
