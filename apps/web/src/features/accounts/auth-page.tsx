import { Link } from 'wouter'
import { BrandMark } from '../../components/brand.tsx'
import { ThemeButton } from '../../components/theme-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useCanRegister, useInstance } from '../../lib/instance.ts'

/** Half the span, and the parameter of y = a · (cosh(x / a) − 1). */
const HALF_SPAN = 248
const CURVE_PARAMETER = 155
const CURVE_STEPS = 64
const CURVE_LINKS = [
  { x: -248, label: 'prompt' },
  { x: -212, label: 'variables' },
  { x: -145, label: 'run' },
  { x: 0, label: 'chain' },
  { x: 145, label: 'schedule' },
  { x: 212, label: 'mail' },
  { x: 248, label: 'API' },
]

export interface AuthPageProps {
  purpose?: string | undefined
  onLogIn: () => void
  onRegister: () => void
}

export function AuthPage({ purpose, onLogIn, onRegister }: AuthPageProps) {
  const instance = useInstance()
  const canRegister = useCanRegister()
  const isFirst = instance?.registration === 'first'
  const logIn = (
    <Button size="lg" variant={isFirst ? 'secondary' : 'primary'} onClick={onLogIn}>
      Log In
    </Button>
  )
  return (
    <main className="relative grid min-h-dvh lg:grid-cols-[61fr_67fr]">
      <ThemeButton className="absolute top-3 right-3" />
      <div className="grid grid-cols-[minmax(0,320px)] content-center justify-center px-6 py-12">
        <div>
          <BrandMark className="size-10" />
          <h1 className="mt-6 text-2xl font-semibold">Catenary</h1>
          <p className="mt-2 text-base text-text-2">AI Prompt Management Platform</p>
          {purpose && (
            <p
              role="status"
              className="mt-4 rounded-control bg-accent-soft px-3 py-2 text-sm text-accent-text"
            >
              Log in to {purpose}. You’ll then return to that page.
            </p>
          )}
          {isFirst && (
            <p className="mt-4 text-sm text-text-2">
              No one has an account here yet. The first account becomes the administrator.
            </p>
          )}
          <div className="mt-6 grid gap-2.5">
            {!isFirst && logIn}
            {canRegister && (
              <Button size="lg" variant={isFirst ? 'primary' : 'secondary'} onClick={onRegister}>
                Create Account
              </Button>
            )}
            {isFirst && logIn}
            <Button size="lg" variant="ghost" asChild>
              <Link href="/">Continue as Guest</Link>
            </Button>
          </div>
          {!canRegister && (
            <p className="mt-4 text-center text-sm text-text-3">Only an admin can create accounts here.</p>
          )}
        </div>
      </div>
      <div className="hidden place-items-center border-l border-line bg-bg p-12 lg:grid">
        <CatenaryCurve mails={instance?.mail === true} className="w-full max-w-[536px]" />
      </div>
    </main>
  )
}

function CatenaryCurve({ mails, className }: { mails: boolean; className?: string }) {
  const links = CURVE_LINKS.filter(({ label }) => mails || label !== 'mail')
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
  return CURVE_PARAMETER * (Math.cosh(x / CURVE_PARAMETER) - 1)
}

function curvePath(): string {
  const points = Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
    const x = HALF_SPAN * ((2 * step) / CURVE_STEPS - 1)
    return `${x.toFixed(1)} ${(-sag(x)).toFixed(1)}`
  })
  return `M${points.join('L')}`
}
