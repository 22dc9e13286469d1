import { type Chain, chain as chainSchema, type ListedChainVersion } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast, toastFailure } from '../../../lib/toast.ts'
import {
  RestoreConflict,
  type RestoreConflictProps,
  RestoreVersion,
} from '../../records/versions/restore-version.tsx'
import { VersionsView } from '../../records/versions/versions-view.tsx'
import { useRestoreChain } from '../chains.queries.ts'
import { ChainVersionDifference } from './chain-version-difference.tsx'
import { chainVersionQuery, chainVersionsQuery } from './chain-versions.queries.ts'

export interface ChainVersionsDialogProps {
  chain: Chain
  onClose: () => void
}

interface Conflict {
  number: number
  current: Chain
}

export default function ChainVersionsDialog({ chain, onClose }: ChainVersionsDialogProps) {
  const list = useQuery(chainVersionsQuery(chain.id))
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const { mutateAsync, isPending } = useRestoreChain(chain.id)
  const restore = async ({ number, revision }: { number: number; revision: number }) => {
    try {
      const { version } = await mutateAsync({ number, revision })
      toast({ title: 'Chain updated', description: `Version ${number} is back, as version ${version}.` })
      onClose()
    } catch (error) {
      const current = conflictOf({ error, schema: chainSchema })
      if (current) setConflict({ number, current })
      else toastFailure('Failed to update chain', errorReason)(error)
    }
  }
  return (
    <VersionsView
      record={{ kind: 'chain', id: chain.id, name: chain.name }}
      list={{ ...list, data: list.data?.map((version) => ({ ...version, summary: stepsOf(version) })) }}
      mayChange={chain.canEdit}
      renderDifference={(pair) => <ChainVersionDifference chainId={chain.id} {...pair} />}
      renderOnly={() => (
        <p className="text-sm text-text-2">
          This is the only version so far. Each save that changes a step, the order or the settings adds one.
        </p>
      )}
      renderRestore={
        chain.canEdit && !conflict
          ? (number) => (
              <RestoreVersion
                key={number}
                number={number}
                description="Its steps and settings are saved as a new version. Runs in progress keep theirs."
                pending={isPending}
                onRestore={() => restore({ number, revision: chain.revision })}
              />
            )
          : undefined
      }
      notice={
        conflict && (
          <ChainConflict
            chainId={chain.id}
            {...conflict}
            pending={isPending}
            onRestore={() => void restore({ number: conflict.number, revision: conflict.current.revision })}
            onLeave={onClose}
          />
        )
      }
      onSelect={() => setConflict(null)}
      onClose={onClose}
    />
  )
}

function stepsOf({ stepCount }: ListedChainVersion): string {
  return stepCount === 1 ? '1 step' : `${stepCount} steps`
}

interface ChainConflictProps extends Omit<RestoreConflictProps, 'noun' | 'differences'>, Conflict {
  chainId: number
}

function ChainConflict({ chainId, current, ...conflict }: ChainConflictProps) {
  const { data: version } = useQuery(chainVersionQuery({ chainId, number: conflict.number }))
  if (!version) return null
  return (
    <RestoreConflict
      {...conflict}
      noun="chain"
      differences={[
        { label: 'Name', mine: version.name, theirs: current.name },
        { label: 'Description', mine: version.description, theirs: current.description },
        { label: 'Steps', mine: stepLines(version.steps), theirs: stepLines(current.steps) },
      ]}
    />
  )
}

function stepLines(steps: readonly { title: string }[]): string {
  return steps.map((step, index) => `${index + 1} ${stepTitle(step)}`).join('\n')
}
