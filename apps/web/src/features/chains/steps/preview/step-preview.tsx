import type { ChainStep, StepPreview } from '@catenary/contracts'
import { GitBranchIcon, LockIcon, OctagonAlertIcon, PaperclipIcon, RepeatIcon } from 'lucide-react'
import { useMemo } from 'react'
import { ContentViewer } from '../../../../components/content-viewer/content-viewer.tsx'
import { Badge } from '../../../../components/ui/badge.tsx'
import { Banner } from '../../../../components/ui/banner.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { asSentence } from '../../../../lib/text/as-sentence.ts'
import { countText } from '../../../../lib/text/count-text.ts'
import { versionText } from '../../../records/versions/version-text.ts'
import { ModelBadge } from '../../../runs/model-badge.tsx'
import { RunSettingsLine, RunTurns } from '../../../runs/run-settings.tsx'
import type { EarlierStep } from '../../run/chain-input-sources.ts'
import { ChainRenderedInput } from '../../run/chain-rendered-input.tsx'
import { FromOutside } from '../../run/from-outside.tsx'
import { LoopSentence } from '../flow/loop-line.tsx'
import { ConditionSentence, FlowLine } from '../flow/only-if-line.tsx'
import { KindBadges, KindQuestion, kindOf } from '../kinds.tsx'

export interface StepPreviewProps {
  step: ChainStep
  preview: StepPreview
  /** Those of the chain, with what became of them in the run. */
  steps: readonly EarlierStep[]
  onFill: () => void
}

/** A step as it would go out, by the reader that shows what went out. */
export function StepPreviewText({ step, preview, steps, onFill }: StepPreviewProps) {
  const { model, inputTokens, inputContent, systemPrompt, attachments, items } = preview
  const { promptId, promptLabel, promptVersion, fromOutside, problem } = preview
  const first = items?.first ?? null
  const place = useMemo(
    () => (first === null ? undefined : { index: 0, loop: step.forEach ?? undefined }),
    [first, step.forEach],
  )
  const rendered = useMemo(() => ({ ...preview, attachments: [] }), [preview])
  const linked = versionText({ label: promptLabel, version: promptVersion })
  return (
    <>
      {problem !== null && (
        <Banner variant="danger" role="note" icon={<OctagonAlertIcon />}>
          A run would stop here: {asSentence(problem)}
        </Banner>
      )}
      <PreviewFlow step={step} preview={preview} />
      <div className="flex flex-wrap items-center gap-1.5">
        {model !== null && <ModelBadge model={model} />}
        {inputTokens !== null && <Badge>about {countText(inputTokens, 'token')}</Badge>}
        <KindBadges step={step} />
        {promptId !== null && linked !== null && <Badge>{linked}</Badge>}
        <FromOutside names={fromOutside} />
        {attachments.map(({ fileId, fileName }) => (
          <Badge key={fileId} className="max-w-full min-w-0 shrink">
            <PaperclipIcon />
            <bdi className="truncate leading-normal">{fileName}</bdi>
          </Badge>
        ))}
      </div>
      <PreviewGaps preview={preview} onFill={onFill} />
      <KindQuestion step={step} />
      <RunSettingsLine run={preview} />
      {inputContent !== null && inputContent !== '' && (
        <ChainRenderedInput
          title={kindOf(preview).previewTitle}
          executionId={preview.executionId ?? 0}
          step={rendered}
          steps={steps}
          {...(place && { item: place })}
        />
      )}
      {inputContent === '' && <p className="text-sm text-text-3">No content</p>}
      {systemPrompt !== '' && <ContentViewer title="System prompt" content={systemPrompt} view="source" />}
      <RunTurns run={preview} />
    </>
  )
}

/** Whether and how often it would run. */
function PreviewFlow({
  step: { onlyIf, forEach },
  preview: { condition, items, problem },
}: Omit<StepPreviewProps, 'steps' | 'onFill'>) {
  return (
    <>
      {condition && (
        <div className="grid gap-1">
          <FlowLine icon={<GitBranchIcon />} end={<Verdict holds={condition.holds} />}>
            {onlyIf ? <ConditionSentence condition={onlyIf} isTinted /> : condition.text}
          </FlowLine>
          <Problem text={condition.problem} said={problem} />
        </div>
      )}
      {items && (
        <div className="grid gap-1">
          <FlowLine
            icon={<RepeatIcon />}
            end={
              items.count !== null && (
                <span className="font-semibold text-text">
                  {countText(items.count, 'item')}
                  {items.count > 1 && <span className="font-normal text-text-2">, the first is shown</span>}
                </span>
              )
            }
          >
            {forEach && <LoopSentence loop={forEach} isTinted />}
          </FlowLine>
          <Problem text={items.problem} said={problem} />
        </div>
      )}
    </>
  )
}

/** Unless it stands above all already. */
function Problem({ text, said }: { text: string | null; said: string | null }) {
  if (text === null || text === said) return null
  return <p className="text-sm text-danger wrap-anywhere">{asSentence(text)}</p>
}

function Verdict({ holds }: { holds: boolean | null }) {
  if (holds === null) return <span className="font-semibold text-danger">can’t be read</span>
  return (
    <span className={holds ? 'font-semibold text-ok' : 'font-semibold text-text-2'}>
      {holds ? 'it holds, so the step runs' : 'it doesn’t hold, so the step is skipped'}
    </span>
  )
}

/** What is not filled in, and why. */
function PreviewGaps({
  preview: { missing, withheld },
  onFill,
}: Pick<StepPreviewProps, 'preview' | 'onFill'>) {
  if (missing.length + withheld.length === 0) return null
  return (
    <ul aria-label="Not filled in" className="grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm text-text-2">
      {missing.length > 0 && (
        <li className="flex flex-wrap items-center gap-1.5">
          <Names names={missing} variant="warn" word="missing" />
          <span>{missing.length === 1 ? 'stays' : 'stay'} as written.</span>
        </li>
      )}
      {withheld.length > 0 && (
        <li className="flex flex-wrap items-center gap-1.5">
          <Names names={withheld} variant="neutral" word="withheld" />
          <span>
            Yours, private: you didn’t add {withheld.length === 1 ? 'this name' : 'these names'} to the chain.
          </span>
          <Button variant="link" className="text-sm" onClick={onFill}>
            Show with {withheld.length === 1 ? 'its value' : 'their values'}
          </Button>
        </li>
      )}
    </ul>
  )
}

function Names({
  names,
  variant,
  word,
}: {
  names: readonly string[]
  variant: 'warn' | 'neutral'
  word: 'missing' | 'withheld'
}) {
  return names.map((name) => (
    <Badge key={name} variant={variant} className="max-w-full min-w-0 shrink">
      {word === 'withheld' && <LockIcon />}
      {word}
      <code className="min-w-0 truncate text-2xs leading-[1.45]">{name}</code>
    </Badge>
  ))
}
