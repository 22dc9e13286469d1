import type { Evaluation } from '@catenary/contracts'
import { Suspense } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { part } from '../../components/part.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { EvaluationPage } from '../../features/evaluations/evaluation-page.tsx'
import NotFoundPage from './not-found-page.tsx'

const PromptRun = part(() => import('../../features/prompt-runs/prompt-run.tsx'))

/** One evaluation with the runs of its cells. */
export default function EvaluationRoute() {
  const { id = '' } = useParams<{ id: string }>()
  const [, navigate] = useLocation()
  if (!/^[1-9]\d{0,9}$/.test(id)) return <NotFoundPage />
  return (
    <EvaluationPage
      key={id}
      id={Number(id)}
      recordHref={recordHref}
      renderRun={({ kind, recordId, executionId }) =>
        kind === 'chain' ? (
          <Button variant="secondary" className="justify-self-start" asChild>
            <Link href={`/chains/${recordId}?run=${executionId}`}>Open the run</Link>
          </Button>
        ) : (
          <Suspense fallback={<Skeleton className="h-40 rounded-control" />}>
            <PromptRun promptId={recordId} executionId={executionId} />
          </Suspense>
        )
      }
      onDeleted={(evaluation) => navigate(recordHref(evaluation))}
    />
  )
}

function recordHref({ kind, recordId }: Evaluation): string {
  return kind === 'prompt' ? `/execute/${recordId}` : `/chains/${recordId}`
}
