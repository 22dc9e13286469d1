import type { FailingSuite, GateState } from '@catenary/contracts'
import { ShieldAlertIcon, ShieldCheckIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ByName } from '../../accounts/by-name.tsx'

const NAMED_MAX = 4

export interface ReleaseGateProps {
  gate: GateState
  label: string
  version: number
}

export function ReleaseGate({ gate, label, version }: ReleaseGateProps) {
  if (!gate.needsSuite) return null
  if (gate.passed) {
    return (
      <Banner variant="ok" role="status" icon={<ShieldCheckIcon />}>
        Its tests pass on version {version}, as {label} requires.
      </Banner>
    )
  }
  return (
    <section aria-label="Tests" className="grid gap-2">
      {gate.suites.length === 0 && (
        <Closed verdict={`No test suite has been evaluated on ${version}.`}>
          {label} requires one that passes.
        </Closed>
      )}
      {gate.suites.map((suite) => (
        <Closed
          key={suite.suiteId}
          verdict={`${suite.name}: ${verdictOf(suite, version)}`}
          evaluationId={suite.evaluationId}
        >
          {label} requires this suite to pass.{suite.failing.length > 0 && ` Failing: ${casesOf(suite)}.`}
        </Closed>
      ))}
      {!gate.canOverride && (
        <p className="text-xs text-text-2">
          <ByName text="Ask its owner or an administrator to move it anyway." />
        </p>
      )}
    </section>
  )
}

function Closed({
  verdict,
  evaluationId = null,
  children,
}: {
  verdict: string
  evaluationId?: number | null
  children: ReactNode
}) {
  return (
    <Banner
      variant="danger"
      icon={<ShieldAlertIcon />}
      className="border border-danger/40 px-3.5 py-2.5"
      action={
        evaluationId !== null && (
          <Button variant="secondary" size="sm" asChild>
            {/* Beside the dialog: what is typed in it stays. */}
            <a href={`/evaluations/${evaluationId}`} target="_blank" rel="noreferrer">
              Open evaluation
            </a>
          </Button>
        )
      }
    >
      <strong className="font-semibold">{verdict}</strong> <span className="text-text">{children}</span>
    </Banner>
  )
}

function verdictOf({ evaluationId, failing }: FailingSuite, version: number): string {
  if (evaluationId === null) return `not evaluated on ${version}.`
  const { length } = failingCases(failing)
  if (length === 0) return `it does not pass on ${version}; its results are private.`
  return length === 1 ? `1 test fails on ${version}.` : `${length} tests fail on ${version}.`
}

function casesOf({ failing }: FailingSuite): string {
  const cases = failingCases(failing)
  const others = cases.length - NAMED_MAX
  return `${cases.slice(0, NAMED_MAX).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

/** A case that fails on two models is one. */
function failingCases(failing: FailingSuite['failing']): string[] {
  return [...new Set(failing.map(({ caseName }) => caseName))]
}
