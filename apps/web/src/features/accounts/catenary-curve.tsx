/** Half the span, and the parameter of y = a · (cosh(x / a) − 1). */
const HALF_SPAN = 248
const A = 155
const STEPS = 64

const LINKS = [
  { x: -248, label: 'prompt' },
  { x: -212, label: 'variables' },
  { x: -145, label: 'run' },
  { x: 0, label: 'chain' },
  { x: 145, label: 'schedule' },
  { x: 212, label: 'mail' },
  { x: 248, label: 'API' },
]

/** The product in one line: what hangs between a prompt and an API, on this installation. */
export function CatenaryCurve({ mails, className }: { mails: boolean; className?: string }) {
  const links = LINKS.filter(({ label }) => mails || label !== 'mail')
  return (
    <svg viewBox="-268 -268 536 316" role="img" aria-label="From prompt to API" className={className}>
      <path d={curvePath()} fill="none" strokeWidth="1.75" className="stroke-accent" />
      {links.map(({ x, label }) => (
        <g key={label}>
          <circle cx={x} cy={-sag(x)} r="6.75" strokeWidth="1.75" className="fill-bg stroke-accent" />
          <text
            x={x + 18.5 * -Math.sign(x)}
            y={x === 0 ? 31 : -sag(x) + 5}
            textAnchor={x === 0 ? 'middle' : x < 0 ? 'start' : 'end'}
            className="fill-text-2 text-[15px]"
          >
            {label}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Height of the hanging chain above its lowest point. */
function sag(x: number): number {
  return A * (Math.cosh(x / A) - 1)
}

function curvePath(): string {
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = HALF_SPAN * ((2 * step) / STEPS - 1)
    return `${x.toFixed(1)} ${(-sag(x)).toFixed(1)}`
  })
  return `M${points.join('L')}`
}
