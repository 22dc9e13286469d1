import type { BudgetState, UsageReport } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'
import { formatCached, formatCount } from '../runs/format-metrics.ts'
import { changeText, compactCount, moneyText, monthText, signed } from './usage-text.ts'

export function UsageTiles({ report: { days, before, budget } }: { report: UsageReport }) {
  const sum = (value: (day: UsageReport['days'][number]) => number) =>
    days.reduce((all, day) => all + value(day), 0)
  const failed = sum((day) => day.failed)
  const runs = failed + sum((day) => day.completed + day.cancelled)
  const [input, output] = [sum((day) => day.inputTokens), sum((day) => day.outputTokens)]
  const costUsd = sum((day) => day.costUsd)
  const [cachedTokens, savedUsd] = [sum((day) => day.cachedTokens), sum((day) => day.savedUsd)]
  const cached = formatCached({ inputTokens: input, cachedTokens, savedUsd })
  const span = `the ${days.length} days before`
  const inChange = changeText(input, before.inputTokens)
  const outChange = changeText(output, before.outputTokens)
  const points = partOf(failed, runs) - partOf(before.failed, before.runs)
  return (
    <dl className="grid overflow-hidden rounded-card border border-line bg-surface sm:grid-cols-2 lg:grid-cols-4 lg:divide-x lg:divide-line max-lg:[&>div]:border-line max-lg:[&>div:not(:first-child)]:border-t sm:max-lg:[&>div:nth-child(2)]:border-t-0 sm:max-lg:[&>div:nth-child(even)]:border-l">
      <Tile
        name="Runs"
        value={formatCount(runs)}
        note={<Change words={changeText(runs, before.runs)} on={span} />}
      />
      <Tile
        name="Cost"
        value={moneyText(costUsd)}
        unit={`${days.length} days`}
        note={
          budget ? (
            <Budget budget={budget} />
          ) : (
            <Change words={changeText(costUsd, before.costUsd)} on={span} />
          )
        }
      />
      <Tile
        name="Tokens"
        value={
          <>
            {compactCount(input)} <Unit>in ·</Unit> {compactCount(output)}
          </>
        }
        unit="out"
        note={
          <>
            {inChange && outChange ? (
              <>
                <b>{inChange}</b> in, <b>{outChange}</b> out
              </>
            ) : (
              `Nothing in ${span}`
            )}
            {cached && <span className="block">{cached}</span>}
          </>
        }
      />
      <Tile
        name="Failed"
        value={`${(partOf(failed, runs) * 100).toFixed(1)} %`}
        unit={`${formatCount(failed)} ${failed === 1 ? 'run' : 'runs'}`}
        note={
          before.runs === 0 ? (
            `Nothing in ${span}`
          ) : (
            <>
              <b>{signed(Number((points * 100).toFixed(1)))}</b> points on {span}
            </>
          )
        }
      />
    </dl>
  )
}

const partOf = (part: number, all: number): number => (all === 0 ? 0 : part / all)

function Tile({
  name,
  value,
  unit,
  note,
}: {
  name: string
  value: ReactNode
  unit?: string
  note: ReactNode
}) {
  return (
    <div className="grid content-start gap-0.5 px-3.5 py-3">
      <dt className="text-sm text-text-2">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">
        {value} {unit && <Unit>{unit}</Unit>}
      </dd>
      <dd className="flex min-h-5 items-center text-sm text-text-3 tabular-nums [&_b]:font-medium [&_b]:text-text-2">
        <span className="w-full">{note}</span>
      </dd>
    </div>
  )
}

function Unit({ children }: { children: ReactNode }) {
  return <span className="text-sm font-normal text-text-3">{children}</span>
}

function Change({ words, on }: { words: string | undefined; on: string }) {
  if (words === undefined) return `Nothing in ${on}`
  return (
    <>
      <b>{words}</b> on {on}
    </>
  )
}

function Budget({ budget: { budgetUsd, spentUsd, isNear } }: { budget: BudgetState }) {
  const part = Math.min(1, budgetUsd === 0 ? 1 : spentUsd / budgetUsd)
  const isSpent = spentUsd >= budgetUsd
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden="true" className="h-1.5 max-w-24 flex-1 rounded-full bg-hover">
        <span
          className={cn(
            'block h-full rounded-full',
            isSpent ? 'bg-danger' : isNear ? 'bg-warn' : 'bg-accent',
          )}
          style={{ width: `${part * 100}%` }}
        />
      </span>
      <span className="whitespace-nowrap">
        <b>{moneyText(spentUsd)}</b> of {moneyText(budgetUsd)} in {monthText(new Date())}
      </span>
    </span>
  )
}
