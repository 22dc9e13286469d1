import type { Chain } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FileQuestionIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Button } from '../../components/ui/button.tsx'
import { isGone } from '../../lib/errors.ts'
import { BackToChains } from './back-to-chains.tsx'
import { ChainSkeleton } from './chain-skeleton.tsx'
import { chainQuery } from './chains.queries.ts'

export function ChainLoader({ id, render }: { id: number; render: (chain: Chain) => ReactNode }) {
  const { data, error, refetch } = useQuery(chainQuery(id))
  // Whoever loses access while the chain is open sees no more of it.
  if (isGone(error)) return <ChainNotFound />
  if (data) return render(data)
  if (!error) return <ChainSkeleton />
  return (
    <>
      <PageHeader title="Chain" start={<BackToChains />} />
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
            <Link href="/chains">Back to the chains</Link>
          </Button>
        }
        className="pt-[18vh]"
      />
    </>
  )
}
