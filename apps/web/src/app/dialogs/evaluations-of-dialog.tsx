import { useLocation } from 'wouter'
import EvaluationsDialog from '../../features/evaluations/evaluations-dialog.tsx'

interface EvaluationsOfDialogProps {
  kind: 'prompt' | 'chain'
  id: number
  name: string
  onClose: () => void
}

/** The evaluations of a prompt or chain; starting one opens it. */
export default function EvaluationsOfDialog({ onClose, ...record }: EvaluationsOfDialogProps) {
  const [, navigate] = useLocation()
  return (
    <EvaluationsDialog record={record} onStarted={(id) => navigate(`/evaluations/${id}`)} onClose={onClose} />
  )
}
