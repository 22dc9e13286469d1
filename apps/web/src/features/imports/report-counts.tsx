import type { ImportItem } from '@catenary/contracts'
import { cn } from '../../lib/utils.ts'
import { counted, nounOf } from './import-plan.ts'

const STATES = [
  { state: 'new', label: 'new', bar: 'bg-accent' },
  { state: 'same', label: 'same', bar: 'bg-text-3' },
  { state: 'conflict', label: 'conflict', bar: 'bg-warn' },
] as const

export function ReportCounts({ items }: { items: readonly ImportItem[] }) {
  const count = (state: ImportItem['state']) => items.filter((item) => item.state === state).length
  const tests = items.reduce((sum, item) => sum + item.tests, 0)
  const shown = STATES.map((each) => ({ ...each, number: count(each.state) })).filter(
    ({ number }) => number > 0,
  )
  return (
    <div className="grid overflow-hidden rounded-card border border-line md:auto-cols-fr md:grid-flow-col md:divide-x md:divide-line max-md:divide-y max-md:divide-line">
      <div className="grid gap-1.5 px-3.5 py-2.5">
        <p className="text-sm text-text-2">
          <span className="mr-1 text-xl font-semibold text-text tabular-nums">
            {items.length.toLocaleString('en')}
          </span>
          {nounOf(items)}
          {items.length === 1 ? '' : 's'}
        </p>
        <div aria-hidden="true" className="flex h-1 gap-0.5">
          {shown.map(({ state, bar, number }) => (
            <span
              key={state}
              className={cn('h-full min-w-1 rounded-full', bar)}
              style={{ flexGrow: number }}
            />
          ))}
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm text-text-2">
          {shown.map(({ state, label, number }) => (
            <span key={state}>
              {number.toLocaleString('en')} {label}
              {state === 'conflict' && number > 1 ? 's' : ''}
            </span>
          ))}
        </p>
      </div>
      {tests > 0 && (
        <div className="grid content-start gap-1.5 px-3.5 py-2.5">
          <p className="text-sm text-text-2">
            <span className="mr-1 text-xl font-semibold text-text tabular-nums">
              {tests.toLocaleString('en')}
            </span>
            {tests === 1 ? 'test' : 'tests'}
          </p>
          <p className="text-sm text-text-2">
            in {counted(items.filter((item) => item.tests > 0).length, 'suite')}
          </p>
        </div>
      )}
    </div>
  )
}
