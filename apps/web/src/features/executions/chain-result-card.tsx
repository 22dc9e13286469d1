import { useQuery } from '@tanstack/react-query'
import { ContentViewer } from '../../components/content-viewer.tsx'
import { formatRunDate } from './chain-dates.ts'
import { resultTextOf } from './chain-run.ts'
import { startOf } from './chain-run-progress.tsx'
import { executionQuery } from './chain-runs.queries.ts'
import { viewFor } from './long-text.ts'

/** What the last completed run came to. */
export function ChainResultCard({ id }: { id: number }) {
  const { data, isError } = useQuery(executionQuery(id))
  if (isError) return <p className="text-sm text-danger">Failed to load execution details</p>
  if (data?.status !== 'completed') return null
  const text = resultTextOf(data)
  return (
    <div className="grid min-w-0 gap-1.5 max-xl:order-last">
      <ContentViewer title="Last Execution Result" content={text} view={viewFor(text)} />
      <p className="px-1 text-xs text-text-3">
        #{id} · {formatRunDate(data.executedAt)} · {startOf(data).toLowerCase()}
      </p>
    </div>
  )
}
