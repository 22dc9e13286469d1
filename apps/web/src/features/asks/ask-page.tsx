import { useQuery } from '@tanstack/react-query'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { isGone } from '../../lib/errors.ts'
import { AskBody, AskOrigin } from './ask-card.tsx'
import { askQuery } from './asks.queries.ts'

const TITLE = 'Waiting for you'

/** One question, where its mail leads to. */
export function AskPage({ id }: { id: number | null }) {
  const { data: ask, error, refetch } = useQuery({ ...askQuery(id ?? 0), enabled: id !== null })
  useDocumentTitle(ask?.question ?? TITLE)
  return (
    <>
      <PageHeader title={TITLE} start={<BackLink href="/asks" label="Back to Waiting for you" />} />
      <div className="min-h-0 flex-1 overflow-y-auto bg-bg">
        <div className="mx-auto grid max-w-[688px] grid-cols-[minmax(0,1fr)] px-6 pt-5 pb-16 max-md:px-3.5 max-md:pt-3.5">
          {ask ? (
            <article aria-label={ask.question} className="min-w-0 rounded-card border border-line bg-surface">
              <header className="grid gap-0.5 border-b border-line px-4 py-3">
                <h2 dir="auto" className="text-lg font-semibold wrap-anywhere">
                  {ask.question}
                </h2>
                <AskOrigin ask={ask} />
              </header>
              <AskBody ask={ask} />
            </article>
          ) : id === null || isGone(error) ? (
            <AskNotFound />
          ) : error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <div role="status">
              <span className="sr-only">Loading the question</span>
              <Skeleton className="h-72" />
            </div>
          )}
        </div>
      </div>
    </>
  )
}

function AskNotFound() {
  return (
    <div className="grid justify-items-center gap-1.5 px-4 py-16 text-center">
      <h2 className="text-md font-semibold">This question is not here</h2>
      <p className="text-sm text-text-2">
        It may be deleted, or you can no longer see its chain, so it isn’t yours to answer.
      </p>
    </div>
  )
}
