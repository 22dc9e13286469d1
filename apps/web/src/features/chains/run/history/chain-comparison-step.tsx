import type { ListedRunStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { TextDiff } from '../../../../components/text-diff/text-diff.tsx'
import { Badge } from '../../../../components/ui/badge.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { settingsLine, showTurns } from '../../../model-settings/settings-text.ts'
import { formatCost, formatCount, formatSeconds, sumTokens } from '../../../runs/format-metrics.ts'
import { FoldedStep } from '../../folded-step.tsx'
import { useWholeStep } from '../chain-runs.queries.ts'
import { itemsText } from '../items/items-text.ts'
import { skippedText } from '../skipped-text.ts'
import { differencesOf, type StepPair } from './chain-comparison-steps.ts'

export function ChainComparisonStep({ pair, ids }: { pair: StepPair; ids: readonly [number, number] }) {
  const { name, before, after } = pair
  const differences = differencesOf(pair)
  const title = stepTitle(after ?? before ?? { title: '' })
  return (
    <FoldedStep
      head={
        <>
          <span dir="auto" className="min-w-0 truncate font-medium">
            {title}
          </span>
          <Badge className="text-out">{name}</Badge>
          <Badge variant={differences.length === 0 ? 'outline' : 'warn'} className="ml-auto">
            {differences.length === 0 ? 'the same' : differences.join(', ')}
          </Badge>
        </>
      }
    >
      <ComparedTexts pair={pair} ids={ids} />
    </FoldedStep>
  )
}

function ComparedTexts({
  pair: { name, ...listed },
  ids,
}: {
  pair: StepPair
  ids: readonly [number, number]
}) {
  const before = useWholeStep({ id: ids[0], step: listed.before ?? undefined }) ?? null
  const after = useWholeStep({ id: ids[1], step: listed.after ?? undefined }) ?? null
  const isWhole =
    (listed.before === null) === (before === null) && (listed.after === null) === (after === null)
  if (!isWhole) return <Skeleton className="m-3 h-24" />
  const texts = { pair: { name, before, after }, ids }
  return (
    <div className="grid min-w-0 gap-3 border-t border-line bg-inset p-3">
      <div className="grid grid-cols-2 gap-3 text-xs text-text-3">
        <p>
          #{ids[0]}: {metricsOf(before)}
        </p>
        <p>
          #{ids[1]}: {metricsOf(after)}
        </p>
      </div>
      {(before?.inputContent || after?.inputContent) && (
        <Texts title="Input" of={(step) => step.inputContent} {...texts} />
      )}
      {(before?.systemPrompt || after?.systemPrompt) && (
        <Texts title="System prompt" of={(step) => step.systemPrompt} {...texts} />
      )}
      {(before?.settings || after?.settings) && (
        <Texts title="Settings" of={({ settings }) => settingsLine(settings ?? {})} {...texts} />
      )}
      {(before?.messages || after?.messages) && (
        <Texts title="Turns" of={({ messages }) => showTurns(messages ?? [])} {...texts} />
      )}
      <Texts title="Output" of={(step) => step.aiResponse} {...texts} />
    </div>
  )
}

interface TextsProps {
  title: string
  of: (step: ListedRunStep) => string | null
  pair: StepPair
  ids: readonly [number, number]
}

function Texts({ title, of, pair: { name, before, after }, ids }: TextsProps) {
  return (
    <div className="grid min-w-0 gap-1">
      <h4 className="text-xs font-medium tracking-normal text-text-3">{title}</h4>
      <div className="min-w-0 bg-surface">
        <TextDiff
          label={`${title} of ${name}`}
          before={{ label: `${title} in #${ids[0]}`, text: (before && of(before)) ?? '' }}
          after={{ label: `${title} in #${ids[1]}`, text: (after && of(after)) ?? '' }}
        />
      </div>
    </div>
  )
}

function metricsOf(step: ListedRunStep | null): string {
  if (!step) return 'not in this run'
  const tokens = sumTokens(step)
  if (step.status === 'skipped') return `skipped · ${skippedText(step, undefined)}`
  return [
    step.takenFrom !== undefined && `from #${step.takenFrom}`,
    step.itemCounts ? itemsText(step.itemCounts) : step.status === 'completed' ? 'done' : step.status,
    step.durationMs !== null && `${formatSeconds(step.durationMs)} s`,
    tokens !== null && `${formatCount(tokens)} tokens`,
    step.costUsd !== null && formatCost(step.costUsd),
  ]
    .filter(Boolean)
    .join(' · ')
}
