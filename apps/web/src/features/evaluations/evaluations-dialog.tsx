import { useQuery } from '@tanstack/react-query'
import { PlayIcon } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ErrorState } from '../../components/error-state.tsx'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { EvaluationList } from './earlier-dialog.tsx'
import { type EvaluatedRecord, evaluationsQuery } from './evaluations.queries.ts'
import RunEvaluationDialog from './run-evaluation-dialog.tsx'

interface EvaluationsDialogProps {
  record: EvaluatedRecord & { name: string }
  onClose: () => void
}

export default function EvaluationsDialog({ record, onClose }: EvaluationsDialogProps) {
  const [, navigate] = useLocation()
  const { data, error, refetch } = useQuery(evaluationsQuery(record))
  const [isStarting, setIsStarting] = useState(false)
  if (isStarting) {
    return (
      <RunEvaluationDialog
        record={record}
        onStarted={(id) => navigate(`/evaluations/${id}`)}
        onClose={onClose}
      />
    )
  }
  return (
    <PlainDialog
      title="Evaluations"
      description={`Compare versions${record.kind === 'prompt' ? ' and models' : ''} of “${record.name}” by its tests.`}
      className="max-w-[640px]"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button onClick={() => setIsStarting(true)}>
            <PlayIcon />
            Run evaluation
          </Button>
        </>
      }
      onClose={onClose}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-24 rounded-control" />}
      {data && <EvaluationList evaluations={data} currentId={null} onOpen={onClose} />}
    </PlainDialog>
  )
}
