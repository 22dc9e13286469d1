import { SparklesIcon, TriangleAlertIcon } from 'lucide-react'
import { useMemo } from 'react'
import { type ContentView, ContentViewer } from '../../components/content-viewer/content-viewer.tsx'
import { LearnMore } from '../../components/learn-more.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { useInstance } from '../../lib/instance.ts'
import { ByName } from '../accounts/by-name.tsx'
import { AnswerAnnouncer } from '../runs/answer-announcer.tsx'
import { AnsweredBy } from '../runs/answered-by.tsx'
import { cutWords } from '../runs/cut-badge.tsx'
import { jsonAnswerOf } from '../runs/json-answer-of.ts'
import { LimitWaiting } from '../runs/limit-waiting.tsx'
import { StopButton } from './action-bar.tsx'
import { type Run, type RunPhase, unresolvedNames } from './run.ts'
import { RunMetrics, StoppedNote } from './run-metrics.tsx'
import { SentWithout } from './values/sent-without.tsx'

export interface ResponsePaneProps {
  run: Run
  contentView: ContentView
  onContentViewChange: (view: ContentView) => void
  onStop: () => void
  /** Values that are still to be filled in. */
  missing: readonly string[]
  /** A screen of its own: the switch is in the menu, the answer has all the room. */
  isNarrow: boolean
}

/** Everything in the pane besides head and foot of the answer and the first runs of the history. */
const FILLS_PANE = 'max-h-[max(360px,calc(100cqh-250px))]'

const ENDINGS: Partial<Record<RunPhase, string>> = { done: 'The answer is complete.', stopped: 'Stopped.' }

export function ResponsePane({
  run,
  contentView,
  onContentViewChange,
  onStop,
  missing,
  isNarrow,
}: ResponsePaneProps) {
  const instance = useInstance()
  const { phase, text, reply, failure } = run
  const cut = cutWords(reply)
  const structured = reply?.structured
  const answer = useMemo(() => jsonAnswerOf(structured), [structured])
  const isSandbox = reply ? reply.provider === 'sandbox' : phase !== 'idle' && instance?.sandbox === true
  const hasText = text !== '' || phase === 'writing' || phase === 'done'
  const head = (
    <div className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center justify-between gap-2">
      <RunMetrics run={run} isSandbox={isSandbox} />
      {!isNarrow && phase === 'writing' && <StopButton size="sm" onStop={onStop} />}
    </div>
  )
  const viewSwitch = (
    <SegmentedControl aria-label="Show the answer as" value={contentView} onValueChange={onContentViewChange}>
      <SegmentedControlItem value="rendered">{answer ? 'Tree' : 'Rendered'}</SegmentedControlItem>
      <SegmentedControlItem value="source">{answer ? 'JSON' : 'Source'}</SegmentedControlItem>
    </SegmentedControl>
  )
  return (
    <section aria-label="AI response" className="grid content-start gap-3">
      <h2 className="sr-only">AI response</h2>
      <AnswerAnnouncer
        key={run.startedAt}
        text={text}
        isWriting={phase === 'writing'}
        ending={failure?.title ?? (cut ? `The answer was ${cut}.` : ENDINGS[phase])}
      />
      {phase === 'idle' ? (
        <Idle missing={missing.length} />
      ) : (
        <>
          {(isNarrow || !hasText) && head}
          {run.repeats !== null && (
            <p className="text-sm text-text-3">With the inputs of run #{run.repeats}.</p>
          )}
          {failure && <Failure run={run} />}
          {phase === 'writing' && run.waitsFor && <LimitWaiting wait={run.waitsFor} />}
          {run.reply && <AnsweredBy run={run.reply} />}
          <SentWithout names={unresolvedNames(run)} />
          {hasText && (
            <ContentViewer
              key={run.startedAt}
              title="AI response"
              content={text}
              view={contentView}
              answer={answer}
              isWriting={phase === 'writing'}
              bare={isNarrow}
              frame={isNarrow ? undefined : { head, foot: viewSwitch }}
              limit={FILLS_PANE}
            />
          )}
          {phase === 'stopped' && <StoppedNote text={text} />}
        </>
      )}
    </section>
  )
}

function Failure({ run: { failure } }: { run: Run }) {
  if (!failure) return null
  return (
    <div
      role="alert"
      className="flex gap-2.5 rounded-card border border-danger/35 bg-danger-soft px-3.5 py-3"
    >
      <TriangleAlertIcon className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="grid min-w-0 gap-0.5 text-sm wrap-anywhere">
        <h3 className="font-semibold text-danger">{failure.title}</h3>
        <p className="text-text">
          <ByName text={failure.reason} />
        </p>
        <p className="text-text-2">
          <ByName text={failure.advice} own={failure.ownAdvice} />
        </p>
        <LearnMore about={failure.about} className="justify-self-start" />
      </div>
    </div>
  )
}

function Idle({ missing }: { missing: number }) {
  return (
    <div className="grid justify-items-center gap-1.5 rounded-card border border-dashed border-line px-6 py-12 text-center">
      <SparklesIcon className="mb-1 size-5 text-text-3" />
      <h3 className="text-base font-medium">The answer appears here</h3>
      <p className="text-sm text-text-2">
        {missing === 0
          ? 'Everything is filled in. Press Execute.'
          : `Fill in the missing ${missing === 1 ? 'value' : 'values'}, then press Execute.`}{' '}
        <ShortcutKeys id="submit" />
      </p>
    </div>
  )
}
