import type { ListedRunStep } from '@catenary/contracts'
import { useModelLabel } from '../../../lib/models.ts'
import { cn } from '../../../lib/utils.ts'

interface AnsweredByProps {
  step: Pick<ListedRunStep, 'model' | 'fallback'>
  className?: string
}

/** Which model answered if it was not the step's own, and why. */
export function AnsweredBy({ step: { model, fallback }, className }: AnsweredByProps) {
  const labelOf = useModelLabel()
  if (!fallback) return null
  return (
    <p className={cn('text-xs text-warn wrap-anywhere', className)}>
      Answered by {labelOf(fallback.model)}, as {labelOf(model)} failed: {fallback.reason}
    </p>
  )
}
