import type { PromptRun, ValueOrigin } from '@catenary/contracts'
import { KeyboardIcon, ListChecksIcon, Share2Icon, Trash2Icon, UnlinkIcon } from 'lucide-react'
import { ContentViewer } from '../../../components/content-viewer/content-viewer.tsx'
import { Fact } from '../../../components/fact.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { formatTime } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { cn } from '../../../lib/utils.ts'
import { RunAttachments } from '../../files/run-attachments.tsx'
import { AccessNote } from '../../runs/access-note.tsx'
import { AnsweredBy } from '../../runs/answered-by.tsx'
import { CutBadge } from '../../runs/cut-badge.tsx'
import { formatCached, formatCost, formatCount, formatSeconds } from '../../runs/format-metrics.ts'
import { formatWaited } from '../../runs/format-wait.ts'
import { OthersRatings } from '../../runs/rating/others-ratings.tsx'
import { RunRating } from '../../runs/rating/run-rating.tsx'
import { ResultViewer } from '../../runs/result-viewer.tsx'
import { RunSettingsLine, RunTurns } from '../../runs/run-settings.tsx'
import { useShareRun } from '../../runs/run-shares.queries.ts'
import { VariableTypeIcon } from '../../variables/variable-kind.tsx'
import { runName, withoutValue } from '../run.ts'
import { SentWithout } from '../values/sent-without.tsx'

export interface HistoryEntryProps {
  run: PromptRun
  promptVersion: number
  onDelete?: (() => void) | undefined
  onSaveTest: (() => void) | undefined
}

export default function HistoryEntry({ run, promptVersion, onDelete, onSaveTest }: HistoryEntryProps) {
  const { error, template, sight, sharing, status } = run
  const share = useShareRun()
  const named = runName({ run, timeZone: useTimeZone() })
  return (
    <div className="grid gap-3.5 bg-inset px-3.5 py-3.5">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-2 text-sm">
        <Fact name="Model">{run.modelId ?? '–'}</Fact>
        <Fact name="Provider">{run.provider ?? '–'}</Fact>
        <Fact name="Tokens">
          {formatCount(run.inputTokens)} in, {formatCount(run.outputTokens)} out
        </Fact>
        <Fact name="Cost">{formatCost(run.costUsd)}</Fact>
        {formatCached(run) !== '' && <Fact name="Cache">{formatCached(run)}</Fact>}
        <Fact name="Duration">{run.durationMs === null ? '–' : `${formatSeconds(run.durationMs)} s`}</Fact>
        {formatWaited(run) !== '' && <Fact name="Wait">{formatWaited(run)}</Fact>}
        <Fact name="Version">
          {run.promptVersion === null ? '–' : describeVersion({ run, promptVersion })}
          {template !== null && ', edited copy'}
        </Fact>
        <Fact name="Executed">
          <Time time={run.executedAt} as="second" />
        </Fact>
        <Fact name="By">
          <span dir="auto">{run.executedBy}</span>
        </Fact>
      </dl>
      {error && (
        <section className="grid gap-1 text-sm">
          <h3 className="text-xs font-medium tracking-normal text-text-3">
            {run.status === 'cancelled' ? 'Stopped' : 'Error'}
          </h3>
          <p className={cn('wrap-anywhere', run.status === 'cancelled' ? 'text-warn' : 'text-danger')}>
            {error}
          </p>
        </section>
      )}
      <AnsweredBy run={run} />
      <RunSettingsLine run={run} />
      <AccessNote run={run} />
      {sight !== 'figures' && <Texts run={run} />}
      <div className="-ml-2.5 flex flex-wrap gap-1">
        {onSaveTest && sight !== 'figures' && (
          <Button variant="ghost" size="sm" aria-label={`Save as test: ${named}`} onClick={onSaveTest}>
            <ListChecksIcon />
            Save as test
          </Button>
        )}
        {sight === 'own' && status !== 'running' && sharing !== 'all' && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${sharing === 'none' ? 'Share this run' : 'Stop sharing this run'}: ${named}`}
            pending={share.isPending}
            onClick={() => share.mutate({ id: run.id, isShared: sharing === 'none' })}
          >
            <Share2Icon />
            {sharing === 'none' ? 'Share this run' : 'Stop sharing this run'}
          </Button>
        )}
        {onDelete && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Delete this run: ${named}`}
            onClick={onDelete}
            className="text-danger hover:text-danger"
          >
            <Trash2Icon />
            Delete this run
          </Button>
        )}
      </div>
    </div>
  )
}

function Texts({ run }: { run: PromptRun }) {
  const { executedPromptContent, userInput, systemPrompt, aiResponse, structured, resolved } = run
  return (
    <>
      <SentWithout names={withoutValue(resolved)} />
      <ContentViewer title="Prompt" content={executedPromptContent} view="source" />
      <RunAttachments executionId={run.id} attachments={run.attachments} />
      {resolved && Object.keys(resolved).length > 0 && <HistoryValues origins={resolved} />}
      {userInput !== '' && <ContentViewer title="Additional context" content={userInput} view="source" />}
      {systemPrompt !== '' && <ContentViewer title="System prompt" content={systemPrompt} view="source" />}
      <RunTurns run={run} />
      {aiResponse !== '' && <ResultViewer title="AI response" text={aiResponse} structured={structured} />}
      <CutBadge ended={run} />
      <div className="-ml-1.5 flex min-w-0">
        <RunRating executionId={run.status === 'running' ? null : run.id} />
      </div>
      <OthersRatings executionId={run.id} />
    </>
  )
}

function describeVersion({
  run: { promptVersion: ran },
  promptVersion,
}: {
  run: PromptRun
  promptVersion: number
}): string {
  return ran === promptVersion ? `${ran}` : `${ran} (now ${promptVersion})`
}

type Origins = NonNullable<PromptRun['resolved']>

function HistoryValues({ origins }: { origins: Origins }) {
  const timeZone = useTimeZone()
  return (
    <section aria-label="Values" className="grid gap-1.5 text-sm">
      <h3 className="text-xs font-medium tracking-normal text-text-3">Values</h3>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {Object.entries(origins).map(([name, origin]) => (
          <li key={name} className="grid gap-0.5 px-3 py-2">
            <div className="flex min-w-0 items-center gap-2">
              <OriginIcon type={origin.type} />
              <span className="prompt-text truncate">{name}</span>
              <span className="ml-auto shrink-0 text-xs text-text-3">{timeOf({ origin, timeZone })}</span>
            </div>
            <p className="text-xs text-text-2 wrap-anywhere">{sourceOf(origin)}</p>
            {origin.error !== null && <p className="text-xs text-danger wrap-anywhere">{reasonOf(origin)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function OriginIcon({ type }: Pick<ValueOrigin, 'type'>) {
  const className = 'size-3.5 shrink-0 text-text-3'
  if (type === 'typed') return <KeyboardIcon aria-hidden="true" className={className} />
  if (type === 'none') return <UnlinkIcon aria-hidden="true" className={className} />
  return <VariableTypeIcon type={type} className={className} />
}

function reasonOf({ type, error }: ValueOrigin): string {
  return type === 'none' ? `${error}` : `Error loading content: ${error}`
}

function sourceOf({ type, source, revision }: ValueOrigin): string {
  if (type === 'typed') return source === null ? 'typed for this run' : `chosen for this run: ${source}`
  if (type === 'none') return 'not in the library'
  const saved = revision === null ? '' : ` · revision ${revision}`
  return source === null ? `the stored text${saved}` : `${source}${saved}`
}

/** A value used again is as old as its fetch. */
function timeOf({ origin, timeZone }: { origin: ValueOrigin; timeZone: string }): string {
  const { type, at, cachedAt, error } = origin
  if (type === 'typed' || type === 'none') return ''
  const time = formatTime({ time: cachedAt ?? at, as: 'second', timeZone })
  if (cachedAt !== null) return `cached at ${time}`
  if (error !== null) return `tried ${time}`
  return type !== 'api' && type !== 'googleDrive' ? `read ${time}` : `fetched ${time}`
}
