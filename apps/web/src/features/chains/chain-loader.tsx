import type { Chain } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FileQuestionIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { BackLink } from '../../components/back-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { isGone } from '../../lib/errors.ts'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { chainQuery, useListedChain } from './chains.queries.ts'

export function ChainLoader({ id, render }: { id: number; render: (chain: Chain) => ReactNode }) {
  const { data, error, refetch } = useQuery(chainQuery(id))
  // Whoever loses access while the chain is open sees no more of it.
  if (isGone(error)) return <ChainNotFound />
  if (data) return render(data)
  if (!error) return <ChainSkeleton id={id} />
  return (
    <>
      <PageHeader title="Chain" start={<BackLink href="/chains" label="Back to chains" />} />
      <ErrorState title="The chain could not be loaded" error={error} onRetry={() => void refetch()} />
    </>
  )
}

export function ChainNotFound() {
  return (
    <>
      <PageHeader title="Chain" />
      <EmptyState
        icon={<FileQuestionIcon />}
        title="Chain not found"
        about="gone"
        description="It was deleted, or it is not shared with you."
        action={
          <Button variant="secondary" asChild>
            <Link href="/chains">Back to chains</Link>
          </Button>
        }
        className="pt-[18vh]"
      />
    </>
  )
}

const STEPS = [0, 1, 2, 3]

export function StepSkeletons({ className }: { className?: string }) {
  return (
    <div className={cn('grid gap-3', className)}>
      {STEPS.map((step) => (
        <div
          key={step}
          className="grid h-[108px] animate-late content-start gap-3 rounded-card border border-line p-3.5"
        >
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-3 w-4/5" />
          <Skeleton className="h-5 w-2/5" />
        </div>
      ))}
    </div>
  )
}

/** What the list of chains knew of it, in the places where the page has it. */
function ChainSkeleton({ id }: { id: number }) {
  const { user } = useSession()
  const listed = useListedChain(id)
  return (
    <>
      <PageHeader
        title={<span title={listed?.name}>{listed?.name ?? 'Chain'}</span>}
        start={<BackLink href="/chains" label="Back to chains" />}
      />
      <div role="status" className="flex min-h-0 flex-1 overflow-hidden">
        <div className="min-w-0 flex-1 px-6 pt-5 max-md:px-3.5 max-md:pt-3.5">
          <div className="mx-auto max-w-[860px] md:pl-[76px]">
            <p className="animate-late text-base text-text-3">Loading chain details...</p>
            <StepSkeletons className="mt-[46px]" />
          </div>
        </div>
        {user && (
          <div className="w-[360px] shrink-0 border-l border-line bg-bg p-4 max-xl:hidden">
            <Skeleton className="h-44 rounded-card" />
          </div>
        )}
      </div>
    </>
  )
}
