import type { ChainVersion } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldChanges } from '../../../components/text-diff/field-changes.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import type { VersionPair } from '../../records/versions/versioned.ts'
import { chainChanges, isMoved, pairSteps } from './chain-version-changes.ts'
import { ChainVersionStep, isChanged } from './chain-version-step.tsx'
import { chainVersionQuery } from './chain-versions.queries.ts'

export function ChainVersionDifference({
  chainId,
  before,
  after,
  label = 'Differences',
}: VersionPair & { chainId: number }) {
  const left = useQuery(chainVersionQuery({ chainId, number: before }))
  const right = useQuery(chainVersionQuery({ chainId, number: after }))
  const failed = [left, right].find(({ error }) => error)
  if (failed) {
    return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} className="py-6" />
  }
  if (!left.data || !right.data) return <Skeleton className="h-40" />
  return <Compared before={left.data} after={right.data} label={label} />
}

function Compared({ before, after, label }: Record<'before' | 'after', ChainVersion> & { label: string }) {
  const settings = chainChanges({ before, after })
  const pairs = pairSteps({ before: before.steps, after: after.steps })
  const steps = pairs.map((pair) => ({ pair, moved: isMoved(pair, pairs) }))
  const changed = steps.filter((step) => isChanged(step))
  const same = steps.length - changed.length
  return (
    <section aria-label={label} className="grid min-w-0 gap-3">
      {settings.length > 0 && (
        <div className="rounded-card border border-line px-3 py-2.5">
          <FieldChanges changes={settings} />
        </div>
      )}
      {changed.length > 0 && (
        <ol aria-label="Steps that changed" className="grid min-w-0 gap-2">
          {changed.map(({ pair, moved }) => (
            <ChainVersionStep
              key={`${pair.places.before} ${pair.places.after}`}
              pair={pair}
              moved={moved}
              within={label}
              names={[`Version ${before.number}`, `Version ${after.number}`]}
            />
          ))}
        </ol>
      )}
      <p className="text-sm text-text-3">{sameText({ same, changed: changed.length + settings.length })}</p>
    </section>
  )
}

function sameText({ same, changed }: { same: number; changed: number }): string {
  if (changed === 0) return 'Steps and settings are the same in both.'
  if (same === 0) return 'No step is the same in both.'
  return same === 1 ? 'The other step is the same in both.' : `The other ${same} steps are the same in both.`
}
