import type { RunDetails } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { formatCached, formatCost, formatCount, formatSeconds, sumTokens } from '../../runs/format-metrics.ts'
import { sumOf } from './chain-run.ts'

/** More steps are read in the list of steps itself. */
const LISTED_MAX = 12

/** What an ended run took, and which step took what of it. */
export function ChainRunMetrics({ steps }: Pick<RunDetails, 'steps'>) {
  const { durationMs, costUsd, ...usage } = sumOf(steps)
  const tokens = sumTokens(usage)
  const metrics = [
    { name: 'time', value: `${formatSeconds(durationMs ?? 0)} s` },
    ...(tokens === null ? [] : [{ name: 'tokens', value: formatCount(tokens) }]),
    ...(costUsd === null ? [] : [{ name: 'cost', value: formatCost(costUsd) }]),
  ]
  return (
    <>
      <dl className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        {metrics.map(({ name, value }) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-xs text-text-3">{name}</dt>
            <dd className="text-md font-semibold tracking-[-0.01em] tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div aria-hidden="true" className={steps.length > 30 ? 'flex h-1 gap-px' : 'flex h-1 gap-1'}>
        {steps.filter(hasRun).map(({ position, durationMs }) => (
          <span
            key={position}
            style={{ flexGrow: durationMs ?? 0 }}
            className="min-w-0.5 shrink basis-0 rounded-full bg-ok"
          />
        ))}
      </div>
      {steps.length > 1 && steps.length <= LISTED_MAX && <StepTable steps={steps} />}
      {formatCached(usage) !== '' && <p className="text-xs text-text-3">{formatCached(usage)}</p>}
    </>
  )
}

const hasRun = ({ status, takenFrom }: Pick<RunDetails['steps'][number], 'status' | 'takenFrom'>): boolean =>
  status === 'completed' && takenFrom === undefined

const figure = 'py-0.5 pl-3 text-right font-normal tabular-nums whitespace-nowrap'

function StepTable({ steps }: Pick<RunDetails, 'steps'>) {
  return (
    <table className="w-full table-auto text-xs">
      <thead className="text-text-3">
        <tr>
          <th scope="col" className="py-0.5 text-left font-normal">
            Step
          </th>
          <th scope="col" className={figure}>
            time
          </th>
          <th scope="col" className={figure}>
            tokens
          </th>
          <th scope="col" className={figure}>
            cost
          </th>
        </tr>
      </thead>
      <tbody className="text-text-2">
        {steps.map(({ position, title, status, takenFrom, durationMs, costUsd, executedAt, ...usage }) => (
          <tr key={position}>
            <th scope="row" className="w-full max-w-0 truncate py-0.5 text-left font-normal">
              <span className="mr-1 text-text-3">{position + 1}</span> {stepTitle({ title })}
            </th>
            <td className={figure}>{timeOf({ status, takenFrom, durationMs })}</td>
            <td className={figure}>{formatCount(sumTokens(usage))}</td>
            <td className={`${figure} text-text`}>{executedAt === null ? '–' : formatCost(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Timed = Pick<RunDetails['steps'][number], 'status' | 'takenFrom' | 'durationMs'>

function timeOf({ status, takenFrom, durationMs }: Timed): string {
  if (takenFrom !== undefined) return `from #${takenFrom}`
  if (status === 'skipped') return 'skipped'
  return durationMs === null ? '–' : `${formatSeconds(durationMs)} s`
}
