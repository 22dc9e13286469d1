import type { ChainRunPresence } from '@catenary/contracts'
import { Time } from '../../../../components/time/time.tsx'
import { AccessNote } from '../../../runs/access-note.tsx'
import { presenceText, RunStatusBadge } from '../chain-run-progress.tsx'

export function ChainPresenceCard({ run }: { run: ChainRunPresence }) {
  return (
    <li data-execution-id={run.id} className="min-w-0 rounded-card border border-line bg-surface">
      <article aria-label={`Execution #${run.id}`} className="grid gap-1 px-3.5 py-2.5">
        <div className="flex items-center gap-2">
          <h3 className="text-sm font-semibold tracking-normal">Execution #{run.id}</h3>
          <RunStatusBadge status={run.status} cutSteps={0} />
          <Time time={run.executedAt} className="ml-auto text-xs text-text-3" />
        </div>
        <p className="text-xs text-text-3">{presenceText(run)}</p>
        <AccessNote run={run} />
      </article>
    </li>
  )
}
