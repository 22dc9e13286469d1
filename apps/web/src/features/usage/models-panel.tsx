import { JUDGE_CALLS, type UsageReport } from '@catenary/contracts'
import { Link } from 'wouter'
import { formatCount } from '../runs/format-metrics.ts'
import { ChartFrame } from './chart-frame.tsx'
import { moneyText } from './usage-text.ts'
import { runsAddress, type UsageView } from './usage-view.ts'

const SHOWN = 5

export function ModelsPanel({ models, view }: { models: UsageReport['models']; view: UsageView }) {
  const all = models.listed.reduce((sum, { costUsd }) => sum + costUsd, 0)
  const part = (costUsd: number) => (all === 0 ? '' : `${Math.round((costUsd / all) * 100)} %`)
  const unpriced = models.listed.filter(({ uncounted }) => uncounted > 0)
  const named = models.listed.map((model) => ({ ...model, label: labelOf(model.key) }))
  return (
    <ChartFrame
      title="Cost by model"
      table={{
        head: ['Model', 'Answers', 'Without a price', 'Cost'],
        rows: named.map(({ key, label, runs, uncounted, costUsd }) => ({
          key,
          cells: [label, formatCount(runs), formatCount(uncounted), moneyText(costUsd)],
        })),
      }}
    >
      {named.length === 0 && <p className="text-sm text-text-3">No answers</p>}
      <ul className="grid gap-2.5">
        {named.slice(0, SHOWN).map(({ key, label, costUsd }) => (
          <li key={key} className="grid gap-1">
            <span className="flex items-baseline gap-3 text-sm tabular-nums">
              {key === JUDGE_CALLS ? (
                <span className="min-w-0 truncate">{label}</span>
              ) : (
                <Link
                  href={runsAddress(view, { model: key })}
                  className="-my-1 min-w-0 truncate py-1 font-mono text-xs hover:underline underline-offset-3 pointer-coarse:-my-3 pointer-coarse:py-3"
                >
                  {label}
                </Link>
              )}
              <span className="ml-auto font-medium">{moneyText(costUsd)}</span>
              <span className="w-11 shrink-0 text-right whitespace-nowrap text-text-3">{part(costUsd)}</span>
            </span>
            <span aria-hidden="true" className="h-1.5 rounded-full bg-hover">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${all === 0 ? 0 : (costUsd / all) * 100}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
      {unpriced.length > 0 && (
        <p className="mt-3 text-sm text-text-3 wrap-anywhere">
          {unpriced
            .map(({ key, uncounted }) => `${formatCount(uncounted)} answers of ${labelOf(key)} have no price`)
            .join(' · ')}
        </p>
      )}
    </ChartFrame>
  )
}

const labelOf = (key: string): string => (key === JUDGE_CALLS ? 'Choice for Best Chain' : key)
