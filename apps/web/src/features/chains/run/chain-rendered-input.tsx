import type { ListedRunStep } from '@catenary/contracts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { cn } from '../../../lib/utils.ts'
import { RunAttachments } from '../../files/run-attachments.tsx'
import { formatCount } from '../../runs/format-metrics.ts'
import {
  type EarlierStep,
  type InputSource,
  type ItemPlace,
  piecesOf,
  type RenderedStep,
  sourcesOf,
} from './chain-input-sources.ts'

const SHOWN_LENGTH = 20_000

export interface ChainRenderedInputProps {
  executionId: number
  step: RenderedStep & Pick<ListedRunStep, 'attachments'>
  steps: readonly EarlierStep[]
  /** Of one of the items that the step went through, which. */
  item?: ItemPlace
  title?: string
}

export function ChainRenderedInput({
  executionId,
  step,
  steps,
  item,
  title = 'Rendered input',
}: ChainRenderedInputProps) {
  const [showsAll, setShowsAll] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const content = step.inputContent ?? ''
  const length = showsAll ? content.length : SHOWN_LENGTH
  const timeZone = useTimeZone()
  const sources = useMemo(() => sourcesOf({ step, steps, item, timeZone }), [step, steps, item, timeZone])
  const pieces = useMemo(() => piecesOf({ step, sources, length }), [step, sources, length])
  useLayoutEffect(() => {
    // What scrolls can be reached by keyboard.
    if (body.current) body.current.tabIndex = 0
  }, [])
  const choose = (key: string) => {
    setChosen(chosen === key ? null : key)
    if (chosen === key) return
    const found = body.current?.querySelector(`[data-source="${key}"]`)
    found?.scrollIntoView?.({ block: 'nearest' })
  }
  return (
    <figure aria-label={title} className="min-w-0 overflow-hidden rounded-card border border-line bg-surface">
      <figcaption className="flex min-h-11 items-center gap-1 border-b border-line py-1 pr-2 pl-3.5">
        <span className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</span>
        <CopyButton text={content} showLabel />
      </figcaption>
      {sources.length > 0 && (
        <ul aria-label="Where it came from" className="grid gap-0.5 border-b border-line bg-inset p-1.5">
          {sources.map((source) => (
            <li key={source.key}>
              <SourceButton source={source} isChosen={chosen === source.key} onChoose={choose} />
            </li>
          ))}
        </ul>
      )}
      {step.attachments.length > 0 && (
        <div className="border-b border-line p-2.5">
          <RunAttachments executionId={executionId} attachments={step.attachments} />
        </div>
      )}
      <div
        ref={body}
        dir="auto"
        className="prompt-text max-h-[400px] overflow-auto px-3.5 py-3 whitespace-pre-wrap wrap-anywhere text-text-2 outline-offset-[-3px]"
      >
        {pieces.map(({ start, text, source }) =>
          source === null ? (
            text
          ) : (
            <span
              key={start}
              data-source={source.key}
              title={describe(source)}
              className={cn(
                'rounded-[4px] box-decoration-clone px-0.5 py-px',
                tintOf(source),
                chosen === source.key && 'outline-2 outline-current',
              )}
            >
              {text}
            </span>
          ),
        )}
      </div>
      {content.length > length && (
        <div className="border-t border-line px-2 py-1">
          <Button variant="ghost" size="sm" onClick={() => setShowsAll(true)}>
            Show all {formatCount(content.length)} characters
          </Button>
        </div>
      )}
    </figure>
  )
}

function SourceButton({
  source,
  isChosen,
  onChoose,
}: {
  source: InputSource
  isChosen: boolean
  onChoose: (key: string) => void
}) {
  const { key, reference, from, when, error, count } = source
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(key)}
      className={cn(
        'flex w-full flex-wrap items-baseline gap-x-2 gap-y-0.5 rounded-control px-2 py-1 text-left text-xs text-text-2 hover:bg-hover pointer-coarse:min-h-11',
        isChosen && 'bg-hover',
      )}
    >
      <code className={cn('rounded-[4px] px-1 text-2xs leading-[1.45]', tintOf(source))}>{reference}</code>
      <span className="min-w-0 wrap-anywhere">
        {[from, when, count > 1 && `in ${count} places`].filter(Boolean).join(' · ')}
      </span>
      {error !== null && <span className="w-full text-danger wrap-anywhere">No value: {error}</span>}
    </button>
  )
}

function tintOf({ kind, error }: InputSource): string {
  if (error !== null) return 'bg-danger-soft text-danger'
  return kind === 'variable' ? 'bg-ref-soft text-ref' : 'bg-out-soft text-out'
}

function describe({ reference, from, when, error }: InputSource): string {
  return [reference, from, when, error].filter(Boolean).join(' · ')
}
