import { doGrading, type GradingTask, type Outcome } from '@catenary/domain/assertions'

export default function work(task: GradingTask): Outcome {
  return doGrading(task)
}
