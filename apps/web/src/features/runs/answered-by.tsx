import type { StepFallback } from '@catenary/contracts'
import { cn } from '../../lib/utils.ts'
import { useModelLabel } from '../model-settings/models.ts'

interface AnsweredByProps {
  run: { model: string | null; fallback?: StepFallback | null | undefined }
  className?: string
}

export function AnsweredBy({ run: { model, fallback }, className }: AnsweredByProps) {
  const labelOf = useModelLabel()
  if (!fallback || model === null) return null
  const failed = fallback.failed ?? [{ model, reason: fallback.reason }]
  const [first] = failed
  const classes = cn('text-xs text-warn wrap-anywhere', className)
  if (failed.length === 1 && first)
    return (
      <p className={classes}>
        Answered by {labelOf(fallback.model)}, as {labelOf(first.model)} failed: {first.reason}
      </p>
    )
  return (
    <div className={classes}>
      <p>
        Answered by {labelOf(fallback.model)}, as {failed.length} models failed:
      </p>
      <ul className="list-disc pl-4">
        {failed.map(({ model, reason }) => (
          <li key={model}>
            {labelOf(model)}: {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
