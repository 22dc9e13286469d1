import { cn } from '../../lib/utils.ts'
import { CostPlot, type CostPlotProps } from './cost-plot.tsx'
import { countText } from './evaluation-text.ts'
import { HEAD, HEAD_ROWS } from './target-head.tsx'

interface EvaluationCornerProps extends CostPlotProps {
  tests: number
}

/** What each line of the heads is; where there is room beside few targets, how good they are for what they cost. */
export function EvaluationCorner({ tests, ...plot }: EvaluationCornerProps) {
  const line = 'flex items-center'
  return (
    <div className="@container h-full text-xs text-text-2">
      <div className="hidden px-3.5 py-2.5 @min-[19rem]:block">
        <CostPlot {...plot} />
      </div>
      <div className={cn(HEAD, '@min-[19rem]:hidden')}>
        <p className={cn(HEAD_ROWS.name, line)}>
          {countText(tests, 'test')}, {countText(plot.targets.length, 'target')}
        </p>
        <p className={HEAD_ROWS.model} />
        <p className={cn(HEAD_ROWS.passed, line, 'max-md:hidden')}>passed, with its 95 % interval</p>
        <p className={HEAD_ROWS.bar} />
        <p className="flex min-h-5 items-center max-md:hidden">cost, median time</p>
      </div>
    </div>
  )
}
