import type { Chain, ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { InfoIcon, StepForwardIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ErrorState } from '../../../../components/error-state.tsx'
import { PlainDialog } from '../../../../components/plain-dialog.tsx'
import { Banner } from '../../../../components/ui/banner.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { cn } from '../../../../lib/utils.ts'
import { mayRunFrom, positionsOf, type StartFrom } from '../../run/chain-run.ts'
import { runQuery } from '../../run/chain-runs.queries.ts'
import { PreviewRunChoice } from './preview-run-choice.tsx'
import { stepPreviewQuery } from './step-preview.queries.ts'
import { StepPreviewText } from './step-preview.tsx'

export interface StepPreviewDialogProps {
  chain: Chain
  step: ChainStep
  /** The run with whose values; undefined: the newest that has some. */
  valuesOf: number | undefined
  /** A form is open whose text isn’t saved. */
  isUnsaved?: boolean
  onChoose: (run: number) => void
  onRunFrom: StartFrom | undefined
  onClose: () => void
}

/** What a step would send with the values of an earlier run; nothing is sent. */
export default function StepPreviewDialog(props: StepPreviewDialogProps) {
  const { chain, step, valuesOf, isUnsaved = false, onChoose, onRunFrom, onClose } = props
  const [fills, setFills] = useState<readonly string[]>([])
  const of = { chain, step, executionId: valuesOf, ...(fills.length > 0 && { fills: [...fills] }) }
  const { data, error, isPlaceholderData, refetch } = useQuery(stepPreviewQuery(of))
  const runId = data?.executionId ?? null
  const { data: seen } = useQuery({ ...runQuery(runId ?? 0), enabled: runId !== null })
  const run = seen && seen.sight !== 'presence' && seen.id === runId ? seen : undefined
  const index = chain.steps.findIndex(({ id }) => id === step.id)
  const steps = useMemo(() => {
    const positions = run && positionsOf({ steps: chain.steps, run: { steps: run.steps, details: run } })
    return chain.steps.map(({ title, outputVariableName }, position) => ({
      position,
      title,
      outputVariableName,
      status:
        run?.steps.find((one) => one.position === positions?.[position])?.status ?? ('completed' as const),
    }))
  }, [chain.steps, run])
  const isOffered =
    onRunFrom && run && mayRunFrom({ steps: chain.steps, run: { ...run, details: run }, index })
  const runFrom = () => {
    onClose()
    if (runId !== null) onRunFrom?.({ executionId: runId, position: index })
  }
  return (
    <PlainDialog
      title={`Preview of step ${index + 1}`}
      description={stepTitle(step)}
      className="max-w-[720px]"
      footer={
        isOffered && (
          <Button variant="secondary" onClick={runFrom}>
            <StepForwardIcon />
            Run from here
          </Button>
        )
      }
      onClose={onClose}
    >
      {isUnsaved && (
        <Banner variant="accent" role="note" icon={<InfoIcon />}>
          This is the step as it is saved. Your changes are not in it yet.
        </Banner>
      )}
      {(data || valuesOf !== undefined) && (
        <PreviewRunChoice chain={chain} value={valuesOf ?? runId} onChange={onChoose} />
      )}
      {data ? (
        <div
          aria-busy={isPlaceholderData}
          className={cn('grid grid-cols-[minmax(0,1fr)] gap-3', isPlaceholderData && 'opacity-60')}
        >
          <StepPreviewText
            step={step}
            preview={data}
            steps={steps}
            onFill={() => setFills([...fills, ...data.withheld])}
          />
        </div>
      ) : error ? (
        <ErrorState
          title="The preview could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          className="py-8"
        />
      ) : (
        <div role="status" aria-label="Loading the preview" className="grid gap-3">
          <Skeleton className="h-9" />
          <Skeleton className="h-52" />
        </div>
      )}
    </PlainDialog>
  )
}
