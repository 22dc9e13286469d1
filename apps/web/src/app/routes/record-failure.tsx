import type { ReactNode } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { isGone } from '../../lib/errors.ts'

export interface RecordFailureProps {
  title: string
  noun: 'prompt' | 'chain'
  error: Error
  onRetry: () => void
  /** Shown where there is no such record, or none for this person. */
  gone: ReactNode
}

/** In place of a page whose record could not be read. */
export function RecordFailure({ title, noun, error, onRetry, gone }: RecordFailureProps) {
  if (isGone(error)) return gone
  return (
    <>
      <PageHeader title={title} />
      <ErrorState title={`The ${noun} could not be loaded`} error={error} onRetry={onRetry} />
    </>
  )
}
