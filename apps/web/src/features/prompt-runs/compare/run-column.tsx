import { cutText } from '@catenary/domain'
import { ListChecksIcon, RotateCwIcon, SaveIcon, SquareIcon } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { type ContentView, ContentViewer } from '../../../components/content-viewer/content-viewer.tsx'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '../../../components/ui/dropdown-menu.tsx'
import { Hint } from '../../../components/ui/tooltip.tsx'
import { cn } from '../../../lib/utils.ts'
import { ByName } from '../../accounts/by-name.tsx'
import { RunAttachments } from '../../files/run-attachments.tsx'
import { AnsweredBy } from '../../runs/answered-by.tsx'
import { CutBadge, cutWords } from '../../runs/cut-badge.tsx'
import { jsonAnswerOf } from '../../runs/json-answer-of.ts'
import { LimitWaiting } from '../../runs/limit-waiting.tsx'
import { viewFor } from '../../runs/long-text.ts'
import { RunRating } from '../../runs/rating/run-rating.tsx'
import { PhaseBadge, StoppedNote } from '../run-metrics.tsx'
import { ModelMenu, ModelMenuItems } from '../targets/model-menu.tsx'
import { SentWithout } from '../values/sent-without.tsx'
import type { ColumnActions } from './column-actions.ts'
import { ColumnMetrics } from './column-metrics.tsx'
import type { ColumnRun } from './column-run.ts'

/** Three lines of an input are shown, which hold no more. */
const INPUT_SHOWN = 500

export interface RunColumnProps {
  column: ColumnRun
  name: string
  baseline: ColumnRun | undefined
  contentView: ContentView
  actions: ColumnActions
}

export function RunColumn({ column, name, baseline, contentView, actions }: RunColumnProps) {
  const { phase, text, inputs, executionId } = column
  const isWriting = phase === 'writing'
  const body = useFollowedEnd({ text, isWriting })
  const view = contentView === 'source' ? 'source' : viewFor(text)
  const answer = useMemo(() => jsonAnswerOf(column.structured), [column.structured])
  return (
    <li
      aria-label={name}
      data-execution-id={executionId ?? undefined}
      data-baseline={baseline ? undefined : ''}
      className={cn(
        'flex min-h-0 min-w-0 snap-start flex-col overflow-hidden rounded-card border border-line bg-surface',
        phase === 'failed' && 'border-danger/60',
        isWriting && 'border-accent/60',
      )}
    >
      <div className="grid gap-1.5 border-b border-line px-3.5 py-3">
        <div className="flex min-w-0 items-center gap-2">
          <h3 className="min-w-0 truncate text-sm font-semibold tracking-normal">{name}</h3>
          {!baseline && <span className="min-w-0 flex-1 truncate text-xs text-text-3">compared against</span>}
          <div className="ml-auto flex shrink-0 items-center gap-1">
            <PhaseBadge phase={phase} model={column.model} isWaiting={column.waitsFor !== null} />
            {actions.onStop && (
              <Hint text="Stop this one">
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Stop ${name}`}
                  onClick={actions.onStop}
                  className="-my-1 -mr-1.5"
                >
                  <SquareIcon />
                </Button>
              </Hint>
            )}
          </div>
        </div>
        <Origin column={column} />
        <ColumnMetrics column={column} baseline={baseline} />
        {(cutWords(column) !== undefined || column.isSandbox) && (
          <div className="flex flex-wrap gap-1.5">
            <CutBadge ended={column} />
            {column.isSandbox && <Badge variant="warn">sandbox</Badge>}
          </div>
        )}
      </div>
      {inputs.length > 0 && (
        <dl className="grid max-h-40 shrink-0 gap-x-2 gap-y-1 overflow-y-auto border-b border-line px-3.5 py-2.5 text-sm">
          {inputs.map(({ name, value }) => (
            <div key={name} className="grid gap-x-2">
              <dt className="text-xs text-ref">{name}</dt>
              <dd dir="auto" className="line-clamp-3 wrap-anywhere text-text">
                {cutText(value, INPUT_SHOWN) || 'empty'}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <section
        ref={body}
        aria-label={`Answer of ${name}`}
        className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-3.5 py-3 -outline-offset-3"
      >
        {isWriting && column.waitsFor && <LimitWaiting wait={column.waitsFor} />}
        <AnsweredBy run={column} />
        <SentWithout names={column.without} />
        {executionId !== null && (
          <RunAttachments executionId={executionId} attachments={column.attachments} />
        )}
        {(text !== '' || isWriting) && (
          <div data-answer={isWriting ? 'written' : 'ended'}>
            <ContentViewer
              title="AI response"
              content={text}
              view={view}
              answer={answer}
              isWriting={isWriting}
              bare
              className="border-0 [&>div]:p-0"
            />
          </div>
        )}
        {text === '' && phase === 'done' && <p className="text-sm text-text-3">No answer.</p>}
        {phase === 'stopped' && <StoppedNote text={text} />}
        <ColumnFailure column={column} actions={actions} />
      </section>
      <div className="flex min-w-0 items-center gap-0.5 border-t border-line px-2 py-1.5">
        <RunRating executionId={isWriting ? null : executionId} isNew={column.executedAt === null} />
        <ColumnMenu name={name} actions={actions} />
        <CopyButton text={text} disabled={text === ''} />
      </div>
    </li>
  )
}

function Origin({ column: { modelId, executedAt, executionId, version, isEdited } }: { column: ColumnRun }) {
  return (
    <p className="flex min-h-[1lh] min-w-0 flex-wrap gap-x-2 text-xs text-text-3">
      <span className="truncate font-mono">{modelId || '–'}</span>
      {executedAt !== null && (
        <span>
          #{executionId} · <RelativeTime time={executedAt} />
          {version !== null && ` · version ${version}`}
          {isEdited && ', edited copy'}
        </span>
      )}
    </p>
  )
}

function useFollowedEnd({ text, isWriting }: { text: string; isWriting: boolean }) {
  const body = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return
    element.tabIndex = 0
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [])
  useLayoutEffect(() => {
    const element = body.current
    if (element && isWriting && text !== '' && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [text, isWriting])
  return body
}

function ColumnFailure({
  column: { failure, text },
  actions: { onRunAgain, onOtherModel },
}: {
  column: ColumnRun
  actions: ColumnActions
}) {
  if (!failure) return null
  return (
    <div
      role="alert"
      className={text === '' ? 'grid gap-2.5' : 'grid gap-2.5 border-t border-dashed border-line-strong pt-3'}
    >
      <p className="text-sm wrap-anywhere">
        <b className="font-semibold text-danger">{failure.title}.</b> <ByName text={failure.reason} />{' '}
        <span className="text-text-2">
          {text === '' ? (
            <ByName text={failure.advice} own={failure.ownAdvice} />
          ) : (
            'The text is kept. Running again starts over and costs again.'
          )}
        </span>{' '}
        <LearnMore about={failure.about} />
      </p>
      {onRunAgain && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={onRunAgain}>
            <RotateCwIcon />
            Run again
          </Button>
          {onOtherModel && (
            <ModelMenu onChoose={onOtherModel}>
              <Button variant="secondary">Other model</Button>
            </ModelMenu>
          )}
        </div>
      )}
    </div>
  )
}

function ColumnMenu({
  name,
  actions: { onRunAgain, onOtherModel, saving, onSaveTest },
}: {
  name: string
  actions: ColumnActions
}) {
  if (!onRunAgain && !saving && !onSaveTest) return null
  return (
    <MoreMenu of={name}>
      {saving && (
        <DropdownMenuItem onSelect={saving.onSave}>
          <SaveIcon />
          Save as version {saving.number}
        </DropdownMenuItem>
      )}
      {onSaveTest && (
        <DropdownMenuItem onSelect={onSaveTest}>
          <ListChecksIcon />
          Save as test
        </DropdownMenuItem>
      )}
      {onRunAgain && (
        <DropdownMenuItem onSelect={onRunAgain}>
          <RotateCwIcon />
          Run again
        </DropdownMenuItem>
      )}
      {onOtherModel && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuLabel>Run on another model</DropdownMenuLabel>
          <ModelMenuItems onChoose={onOtherModel} />
        </>
      )}
    </MoreMenu>
  )
}
