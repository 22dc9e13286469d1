import type { RunDetails } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { PlainDialog } from '../../../../components/plain-dialog.tsx'
import { Time } from '../../../../components/time/time.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import {
  formatCost,
  formatCount,
  formatDifference,
  formatDuration,
  sumTokens,
} from '../../../runs/format-metrics.ts'
import { RunStatusBadge, startInSentence } from '../chain-run-progress.tsx'
import { runQuery } from '../chain-runs.queries.ts'
import { ChainComparisonStep } from './chain-comparison-step.tsx'
import { pairSteps } from './chain-comparison-steps.ts'

export interface ChainComparisonProps {
  chainId: number
  ids: readonly [number, number]
  onClose: () => void
}

export default function ChainComparison({ chainId, ids, onClose }: ChainComparisonProps) {
  const first = useQuery(runQuery(Math.min(...ids)))
  const second = useQuery(runQuery(Math.max(...ids)))
  const isForeign = [first.data, second.data].some(
    (run) => run && (run.sight === 'presence' || run.chainId !== chainId),
  )
  const [before, after] = [first.data, second.data].map((run) =>
    run?.sight === 'presence' ? undefined : run,
  )
  return (
    <PlainDialog
      title={`Compare #${Math.min(...ids)} with #${Math.max(...ids)}`}
      className="max-w-[1120px]"
      onClose={onClose}
    >
      {first.isError || second.isError || isForeign ? (
        <p role="alert" className="text-sm text-danger">
          Failed to load execution details
        </p>
      ) : before && after ? (
        <Compared before={before} after={after} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </PlainDialog>
  )
}

function Compared({ before, after }: { before: RunDetails; after: RunDetails }) {
  const pairs = useMemo(() => pairSteps({ before: before.steps, after: after.steps }), [before, after])
  return (
    <>
      <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line text-sm">
        <thead>
          <tr className="bg-inset text-left [&>*]:px-2 [&>*]:py-2 md:[&>*]:px-3">
            <td className="w-[60px] md:w-28" />
            <RunHead run={before} />
            <RunHead run={after} />
            <th scope="col" className="align-top font-medium text-text-3">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          <MetricRow
            name="Time"
            before={before.durationMs}
            after={after.durationMs}
            format={formatDuration}
          />
          <MetricRow
            name="Tokens"
            before={sumTokens(before)}
            after={sumTokens(after)}
            format={(count) => formatCount(count)}
          />
          <MetricRow name="Cost" before={before.costUsd} after={after.costUsd} format={formatCost} />
          <Row name="Input">
            <td className="truncate">{before.input || '–'}</td>
            <td className="truncate">{after.input || '–'}</td>
            <td className="text-text-2">{before.input === after.input ? 'the same' : 'another input'}</td>
          </Row>
        </tbody>
      </table>
      <ol aria-label="Steps" className="grid min-w-0 gap-2">
        {pairs.map((pair) => (
          <ChainComparisonStep key={pair.name} pair={pair} ids={[before.id, after.id]} />
        ))}
      </ol>
    </>
  )
}

function RunHead({ run }: { run: RunDetails }) {
  return (
    <th scope="col" className="align-top font-normal">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">#{run.id}</span>
        <RunStatusBadge status={run.status} cutSteps={run.cutSteps} />
      </span>
      <span className="block text-xs text-text-3">
        <Time time={run.executedAt} />
        <span className="max-md:hidden"> · {startInSentence(run)}</span>
      </span>
    </th>
  )
}

interface MetricRowProps {
  name: string
  before: number | null
  after: number | null
  format: (value: number) => string
}

function MetricRow({ name, before, after, format }: MetricRowProps) {
  return (
    <Row name={name}>
      <td>{before === null ? '–' : format(before)}</td>
      <td>{after === null ? '–' : format(after)}</td>
      <td className="text-text-2">{formatDifference({ before, after, format }) || '–'}</td>
    </Row>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr className="[&>*]:border-t [&>*]:border-line [&>*]:px-2 [&>*]:py-1.5 md:[&>*]:px-3">
      <th scope="row" className="text-left font-normal text-text-3">
        {name}
      </th>
      {children}
    </tr>
  )
}
