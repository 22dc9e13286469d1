import type { Chain, ListedRunStep, RunDetails } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { StepForwardIcon } from 'lucide-react'
import { ContentViewer } from '../../../../components/content-viewer/content-viewer.tsx'
import { Fact } from '../../../../components/fact.tsx'
import { Time } from '../../../../components/time/time.tsx'
import { Badge } from '../../../../components/ui/badge.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { GivenAnswerLine, givenAnswerOf } from '../../../asks/given-answer.tsx'
import { versionText } from '../../../records/versions/version-text.ts'
import { AnsweredBy } from '../../../runs/answered-by.tsx'
import { formatCached, formatCost, formatCount, formatSeconds } from '../../../runs/format-metrics.ts'
import { formatWaited } from '../../../runs/format-wait.ts'
import { ModelBadge } from '../../../runs/model-badge.tsx'
import { OthersRatings } from '../../../runs/rating/others-ratings.tsx'
import { RunRating } from '../../../runs/rating/run-rating.tsx'
import { ResultViewer } from '../../../runs/result-viewer.tsx'
import { RunSettingsLine, RunTurns } from '../../../runs/run-settings.tsx'
import { FoldedStep } from '../../folded-step.tsx'
import { ChainRenderedInput } from '../chain-rendered-input.tsx'
import { answerStepOf, mayRunFrom, positionsOf, type StartFrom } from '../chain-run.ts'
import { runQuery, useWholeStep } from '../chain-runs.queries.ts'
import { ChainStepStatus } from '../chain-step-status.tsx'
import { FromOutside } from '../from-outside.tsx'
import { mayRetryItems } from '../items/items-text.ts'
import { StepItems } from '../items/step-items.tsx'
import { skippedText } from '../skipped-text.ts'
import { type ChainRunning, isBusy } from '../use-chain-run.ts'

export interface ChainHistoryDetailsProps {
  id: number
  chain: Chain
  running: ChainRunning
  onRunFrom: StartFrom | undefined
}

export function ChainHistoryDetails({ id, ...of }: ChainHistoryDetailsProps) {
  const { data, isError } = useQuery(runQuery(id))
  if (!data) {
    return (
      <div className="grid gap-2 border-t border-line p-3.5">
        {isError ? (
          <p role="alert" className="text-sm text-danger">
            Failed to load execution details
          </p>
        ) : (
          <>
            <Skeleton className="h-16" />
            <Skeleton className="h-8" />
          </>
        )}
      </div>
    )
  }
  if (data.sight === 'presence') return null
  const output = data.result?.output ?? data.output
  return (
    <div className="grid min-w-0 gap-3 border-t border-line bg-inset p-3.5">
      {data.input !== '' && <ContentViewer title="Input of the run" content={data.input} view="source" />}
      {output ? (
        <ResultViewer title="Final output" text={output} structured={answerStepOf(data.steps)?.structured} />
      ) : (
        <p className="text-sm text-text-3">No output available</p>
      )}
      {data.sight !== 'figures' && data.status !== 'running' && (
        <div className="grid min-w-0 gap-1.5">
          <div className="-ml-1.5 flex min-w-0">
            <RunRating executionId={id} />
          </div>
          <OthersRatings executionId={id} />
        </div>
      )}
      {data.textsDeleted && <p className="text-sm text-text-3">The texts of this run are no longer kept.</p>}
      {data.error && <p className="text-sm text-danger wrap-anywhere">{data.error}</p>}
      <ol aria-label={`Steps of execution #${id}`} className="grid min-w-0 gap-1.5">
        {data.steps.map((step) => (
          <HistoryStep key={step.id} run={data} step={step} {...of} />
        ))}
      </ol>
    </div>
  )
}

interface HistoryStepProps extends Omit<ChainHistoryDetailsProps, 'id'> {
  run: RunDetails
  step: ListedRunStep
}

function HistoryStep(props: HistoryStepProps) {
  const { step } = props
  return (
    <FoldedStep
      isNested
      head={
        <>
          <span className="text-text-3">{step.position + 1}</span>
          <span className="min-w-0 flex-1 truncate font-medium">{stepTitle(step)}</span>
          <ChainStepStatus step={step} counts={step.itemCounts} takenFrom={step.takenFrom} />
        </>
      }
    >
      <StepBody {...props} />
    </FoldedStep>
  )
}

function StepBody({ chain, run, running, step: listed, onRunFrom }: HistoryStepProps) {
  const step = useWholeStep({ id: run.id, step: listed })
  if (!step) return <Skeleton className="m-2.5 h-16" />
  const { id, steps } = run
  const { position, itemCounts: counts } = step
  const index = positionsOf({ steps: chain.steps, run: { steps, details: run } }).indexOf(position)
  const fromHere = onRunFrom && mayRunFrom({ steps: chain.steps, run: { ...run, details: run }, index }) && (
    <Button
      variant="ghost"
      size="sm"
      className="ml-auto"
      disabled={isBusy(running)}
      onClick={() => onRunFrom({ executionId: id, position: index })}
    >
      <StepForwardIcon />
      Run from here
    </Button>
  )
  if (step.status === 'skipped') {
    return (
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-2.5">
        <p className="min-w-0 flex-1 basis-48 text-sm text-text-2 wrap-anywhere">{skippedText(step, step)}</p>
        {fromHere}
      </div>
    )
  }
  const { inputContent, systemPrompt, aiResponse, outputVariableValue, outputVariableName, error } = step
  const answer = step.model === null ? givenAnswerOf(outputVariableValue) : null
  return (
    <div className="grid min-w-0 gap-3 border-t border-line p-2.5">
      <div className="flex flex-wrap items-center gap-1.5">
        {step.model !== null && <ModelBadge model={step.model} />}
        {outputVariableName && outputVariableValue !== null && (
          <Badge className="text-out">Saved as {outputVariableName}</Badge>
        )}
        <FromOutside names={step.fromOutside} />
        {fromHere}
      </div>
      {answer && (
        <p className="text-sm text-text-2 wrap-anywhere">
          <GivenAnswerLine answer={answer} />
        </p>
      )}
      <AnsweredBy run={step} />
      <RunSettingsLine run={step} />
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-x-3 gap-y-1.5 text-sm">
        <Fact name="Time">{step.executedAt === null ? '–' : <Time time={step.executedAt} />}</Fact>
        <Fact name="Tokens">
          {formatCount(step.inputTokens)} in, {formatCount(step.outputTokens)} out
        </Fact>
        <Fact name="Cost">{formatCost(step.costUsd)}</Fact>
        {formatCached(step) !== '' && <Fact name="Cache">{formatCached(step)}</Fact>}
        <Fact name="Duration">{step.durationMs === null ? '–' : `${formatSeconds(step.durationMs)} s`}</Fact>
        {formatWaited(step) !== '' && <Fact name="Wait">{formatWaited(step)}</Fact>}
        <Fact name="Retries">{step.retries}</Fact>
        <Fact name="Model">{step.modelId ?? '–'}</Fact>
        {step.promptId !== null && (
          <Fact name="Linked prompt">
            {step.promptVersion === null
              ? 'its copy in the step'
              : versionText({ label: step.promptLabel, version: step.promptVersion })}
          </Fact>
        )}
      </dl>
      {error && <p className="text-sm text-danger wrap-anywhere">{error}</p>}
      {counts ? (
        <StepItems
          runId={id}
          position={position}
          counts={counts}
          step={step}
          steps={steps}
          isRunning={step.status === 'running'}
          onRetry={mayRetryItems(run, step) ? () => running.retryItems(id, position) : undefined}
          isRetrying={running.isResuming}
        />
      ) : inputContent ? (
        <ChainRenderedInput title="Input" executionId={id} step={step} steps={steps} />
      ) : (
        <p className="text-sm text-text-3">No input content</p>
      )}
      {systemPrompt !== '' && <ContentViewer title="System prompt" content={systemPrompt} view="source" />}
      <RunTurns run={step} />
      {aiResponse ? (
        <ResultViewer title="Output" text={aiResponse} structured={step.structured} />
      ) : (
        <p className="text-sm text-text-3">No response available</p>
      )}
    </div>
  )
}
