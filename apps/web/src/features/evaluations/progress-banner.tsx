import { EVALUATION_COST_LIMIT_MAX_USD, type Evaluation } from '@catenary/contracts'
import { hasEnded } from '@catenary/domain'
import { CirclePauseIcon } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { NumberInput } from '../../components/ui/number-input.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { numberOf, numberProblem, numberText } from '../../lib/text/number-of.ts'
import { toastFailure } from '../../lib/toast.ts'
import { formatCost } from '../runs/format-metrics.ts'
import { useResumeEvaluation } from './evaluations.queries.ts'

export function ProgressBanner({ evaluation }: { evaluation: Evaluation }) {
  if (evaluation.status === 'running') return <Progress evaluation={evaluation} />
  return evaluation.status === 'stopped' ? <Stopped evaluation={evaluation} /> : null
}

function Progress({ evaluation: { cells, costUsd, ceilingUsd } }: { evaluation: Evaluation }) {
  const ended = cells.filter(hasEnded).length
  return (
    <div
      role="status"
      className="flex min-h-[35px] items-center gap-3 border-b border-line bg-accent-soft px-6 text-sm text-accent-text max-md:px-3.5"
    >
      <span className="shrink-0 font-medium">
        {ended} of {countText(cells.length, 'result')}
      </span>
      <span aria-hidden="true" className="h-1.5 min-w-8 flex-1 overflow-hidden rounded-full bg-surface">
        <span
          className="block h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(ended / cells.length) * 100}%` }}
        />
      </span>
      <span className="shrink-0">
        {formatCost(costUsd)} <span className="max-md:hidden">of {formatCost(ceilingUsd)}</span>
      </span>
    </div>
  )
}

function Stopped({ evaluation }: { evaluation: Evaluation }) {
  const { id, cells, stopReason, costUsd, ceilingUsd, canResume } = evaluation
  const { mutate, isPending } = useResumeEvaluation()
  const spentUsd = costUsd ?? 0
  const isAtCostLimit = spentUsd >= ceilingUsd
  const [costLimit, setCostLimit] = useState('')
  const left = cells.filter((cell) => !hasEnded(cell)).length
  const wanted = numberOf(costLimit) ?? 2 * ceilingUsd
  const problem = numberProblem(costLimit)
  const isValid = wanted > spentUsd && wanted <= EVALUATION_COST_LIMIT_MAX_USD
  const resume = () =>
    mutate(
      { id, ceilingUsd: isAtCostLimit ? wanted : undefined },
      { onError: toastFailure('Could not resume') },
    )
  return (
    <Banner
      shape="bar"
      variant="warn"
      icon={<CirclePauseIcon />}
      action={
        canResume && (
          <span className="flex shrink-0 items-center gap-2">
            {isAtCostLimit && (
              <NumberInput
                aria-label="New cost limit in US dollars"
                aria-invalid={problem === undefined ? undefined : true}
                title={problem}
                placeholder={numberText(2 * ceilingUsd)}
                value={costLimit}
                onChange={(event) => setCostLimit(event.target.value)}
                className="h-7 w-24"
              />
            )}
            <Button size="sm" pending={isPending} disabled={isAtCostLimit && !isValid} onClick={resume}>
              Resume
            </Button>
          </span>
        )
      }
    >
      <strong className="font-medium">{stopReason ?? 'Stopped'}</strong> {left} of{' '}
      {countText(cells.length, 'result')} {left === 1 ? 'is' : 'are'} left.
      {problem && (
        <span role="alert" className="block text-danger">
          {problem}
        </span>
      )}
    </Banner>
  )
}
