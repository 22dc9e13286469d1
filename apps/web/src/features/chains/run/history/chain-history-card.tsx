import type { Chain, ChainRunPresence, ChainRunSummary } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ColumnsIcon, ListChecksIcon, PlayIcon, RotateCwIcon, Share2Icon, Trash2Icon } from 'lucide-react'
import { MoreMenu } from '../../../../components/more-menu.tsx'
import { Time } from '../../../../components/time/time.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../../../components/ui/dropdown-menu.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { useFold } from '../../../../lib/use-fold.ts'
import { cn } from '../../../../lib/utils.ts'
import { WaitingLine } from '../../../asks/waiting-line.tsx'
import { AccessNote, OwnAccessNote } from '../../../runs/access-note.tsx'
import { ApiCallLine } from '../../../runs/api-call-line.tsx'
import { RatingMark } from '../../../runs/rating/rating-mark.tsx'
import { useShareRun } from '../../../runs/run-shares.queries.ts'
import type { StartFrom } from '../chain-run.ts'
import { metricsOf, presenceText, RunStatusBadge, startOf } from '../chain-run-progress.tsx'
import { runQuery } from '../chain-runs.queries.ts'
import { type ChainRunning, isBusy } from '../use-chain-run.ts'
import { ChainHistoryDetails } from './chain-history-details.tsx'

export interface ChainHistoryCardProps {
  run: ChainRunSummary
  chain: Chain
  running: ChainRunning
  compared: number | null
  onCompare: () => void
  onRunAgain: (input: string) => void
  onRunFrom: StartFrom | undefined
  onSaveTest: (() => void) | undefined
  onDelete: () => void
}

export function ChainHistoryCard(props: ChainHistoryCardProps) {
  const { run, chain, running, compared, onCompare, onRunFrom, ...act } = props
  const { user } = useSession()
  const { isOpen, button, panel } = useFold()
  const isChosen = compared === run.id
  const by = run.executedBy === user?.username ? undefined : run.executedBy
  return (
    <li
      data-execution-id={run.id}
      className={cn('min-w-0 rounded-card border border-line bg-surface', isChosen && 'border-accent')}
    >
      <article aria-label={`Execution #${run.id}`} className="grid gap-1 px-3.5 pt-2.5 pb-2">
        <div className="flex items-center gap-2">
          <h3 className="text-sm font-semibold tracking-normal">Execution #{run.id}</h3>
          <RunStatusBadge status={run.status} waitingFor={run.waitingFor} cutSteps={run.cutSteps} />
          <Time time={run.executedAt} className="ml-auto text-xs text-text-3" />
        </div>
        <p className="text-xs text-text-3">
          {startOf(run, by)} · {metricsOf(run)}
        </p>
        {run.waitingFor && (
          <p className="text-xs text-text-2">
            <WaitingLine waiting={run.waitingFor} />
          </p>
        )}
        <AccessNote run={run} />
        {run.sight === 'own' && <OwnAccessNote run={run} isOwnChain={chain.owner === user?.username} />}
        <ApiCallLine apiCall={run.apiCall} />
        {run.rating && (
          <p className="flex min-w-0 text-xs text-text-3">
            <RatingMark rating={run.rating} />
          </p>
        )}
        <div className="-ml-2.5 flex flex-wrap items-center gap-1">
          <Button variant="ghost" size="sm" {...button}>
            {isOpen ? 'Hide Details' : 'View Details'}
          </Button>
          {run.canResume && (
            <Button
              variant="ghost"
              size="sm"
              disabled={isBusy(running)}
              onClick={() => running.resume(run.id)}
            >
              <RotateCwIcon />
              Resume
            </Button>
          )}
          {compared !== null && !isChosen && (
            <Button variant="secondary" size="sm" onClick={onCompare}>
              <ColumnsIcon />
              Compare with #{compared}
            </Button>
          )}
          <CardMenu run={run} onCompare={onCompare} {...act} />
        </div>
      </article>
      <div {...panel}>
        {isOpen && (
          <ChainHistoryDetails
            key={run.status}
            id={run.id}
            chain={chain}
            running={running}
            onRunFrom={onRunFrom}
          />
        )}
      </div>
    </li>
  )
}

function CardMenu({
  run,
  onCompare,
  onRunAgain,
  onSaveTest,
  onDelete,
}: Pick<ChainHistoryCardProps, 'run' | 'onCompare' | 'onRunAgain' | 'onSaveTest' | 'onDelete'>) {
  const details = useQuery({ ...runQuery(run.id), enabled: false })
  const share = useShareRun()
  const runAgain = async () => {
    const { data } = await details.refetch()
    if (data && data.sight !== 'presence') onRunAgain(data.input)
  }
  return (
    <MoreMenu of={`Execution #${run.id}`} className="-mr-1.5 ml-auto">
      <DropdownMenuItem onSelect={() => void runAgain()}>
        <PlayIcon />
        {run.sight === 'own' ? 'Run again with this input' : 'Run again as me'}
      </DropdownMenuItem>
      <DropdownMenuItem onSelect={onCompare}>
        <ColumnsIcon />
        Compare with another run
      </DropdownMenuItem>
      {onSaveTest && (
        <DropdownMenuItem onSelect={onSaveTest}>
          <ListChecksIcon />
          Save as test
        </DropdownMenuItem>
      )}
      {run.sight === 'own' && run.status !== 'running' && run.sharing !== 'all' && (
        <DropdownMenuItem onSelect={() => share.mutate({ id: run.id, isShared: run.sharing === 'none' })}>
          <Share2Icon />
          {run.sharing === 'none' ? 'Share this run' : 'Stop sharing this run'}
        </DropdownMenuItem>
      )}
      {run.sight === 'own' && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuItem variant="destructive" onSelect={onDelete}>
            <Trash2Icon />
            Delete
          </DropdownMenuItem>
        </>
      )}
    </MoreMenu>
  )
}

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
