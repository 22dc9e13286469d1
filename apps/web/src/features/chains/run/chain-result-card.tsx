import { useQuery } from '@tanstack/react-query'
import { Time } from '../../../components/time/time.tsx'
import { CutBadge } from '../../runs/cut-badge.tsx'
import { RunRating } from '../../runs/rating/run-rating.tsx'
import { ResultViewer } from '../../runs/result-viewer.tsx'
import { resultTextOf } from './chain-run.ts'
import { startInSentence } from './chain-run-progress.tsx'
import { runQuery } from './chain-runs.queries.ts'

const TITLE = 'Last Execution Result'

export function ChainResultCard({ id }: { id: number }) {
  const { data, isError } = useQuery(runQuery(id))
  if (isError) return <Failed />
  // Of another person's run without its texts there is no result to show.
  if (data?.status !== 'completed' || data.sight === 'figures') return null
  const text = resultTextOf(data)
  return (
    <div className="grid min-w-0 gap-1.5 max-xl:order-last">
      <ResultViewer title={TITLE} text={text} structured={data.steps.at(-1)?.structured} />
      <div className="flex min-w-0">
        <RunRating executionId={id} />
      </div>
      <CutBadge ended={data} />
      <p className="px-1 text-xs text-text-3">
        #{id} · <Time time={data.executedAt} /> · {startInSentence(data)}
      </p>
    </div>
  )
}

function Failed() {
  return (
    <section aria-label={TITLE} className="rounded-card border border-line bg-surface max-xl:order-last">
      <h2 className="border-b border-line px-3.5 py-3 text-sm font-semibold tracking-normal">{TITLE}</h2>
      <p className="px-3.5 py-4 text-sm text-danger">Failed to load execution details</p>
    </section>
  )
}
