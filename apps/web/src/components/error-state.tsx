import { CircleAlertIcon } from 'lucide-react'
import { errorMessage } from '../lib/errors.ts'
import { topicOfError, topicOfThrown } from '../lib/fault-topics.ts'
import { cn } from '../lib/utils.ts'
import { GuideLink } from './guide-link.tsx'
import { Button } from './ui/button.tsx'

export interface ErrorStateProps {
  title?: string
  headingLevel?: 1 | 2
  error: unknown
  /** It was thrown while the page was drawn, perhaps by a fault of its own. */
  isThrown?: boolean
  onRetry?: () => void
  onBack?: () => void
  className?: string
}

export function ErrorState({
  title = 'This could not be loaded',
  headingLevel = 2,
  error,
  isThrown = false,
  onRetry,
  onBack,
  className,
}: ErrorStateProps) {
  const topic = isThrown ? topicOfThrown(error) : topicOfError(error)
  const Heading = `h${headingLevel}` as const
  return (
    <div
      role="alert"
      className={cn(
        'mx-auto grid max-w-md content-center justify-items-center gap-1.5 px-4 py-16 text-center',
        className,
      )}
    >
      <CircleAlertIcon className="mb-2 size-6 text-danger" />
      <Heading className="text-md font-semibold">{title}</Heading>
      <p className="text-sm text-text-2 wrap-anywhere">{errorMessage(error)}</p>
      {(onRetry || onBack) && (
        <div className="mt-3 flex gap-2">
          {onRetry && (
            <Button variant="secondary" onClick={onRetry}>
              Try again
            </Button>
          )}
          {onBack && (
            <Button variant="ghost" onClick={onBack}>
              Back
            </Button>
          )}
        </div>
      )}
      {topic && <GuideLink {...topic} className="mt-2" />}
    </div>
  )
}
