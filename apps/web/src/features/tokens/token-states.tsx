import { TOKEN_TEXTS } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/errors.ts'

export interface TokenStatesProps {
  tokens: readonly unknown[] | undefined
  error: unknown
  onRetry: () => void
  empty: ReactNode
  children: ReactNode
}

export function TokenStates({ tokens, error, onRetry, empty, children }: TokenStatesProps) {
  if (tokens) return tokens.length > 0 ? children : <div className="px-4 py-7 text-center">{empty}</div>
  if (!error) {
    return (
      <div role="status" className="grid gap-2 px-4 py-4">
        <span className="sr-only">Loading API tokens</span>
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
    )
  }
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 py-6 text-center text-sm">
      <p className="font-medium text-danger">{TOKEN_TEXTS.loadFailed}</p>
      <p className="text-text-2 wrap-anywhere">{errorMessage(error)}</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
