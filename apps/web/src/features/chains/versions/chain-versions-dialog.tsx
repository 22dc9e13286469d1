import { type Chain, chain as chainSchema, type ListedChainVersion } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { RotateCcwIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ConflictPanel } from '../../../components/forms/conflict-panel.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { conflictOf, errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { VersionsView } from '../../records/versions/versions-view.tsx'
import { ChainVersionDifference } from './chain-version-difference.tsx'
import { chainVersionQuery, chainVersionsQuery, useRestoreChain } from './chain-versions.queries.ts'

export interface ChainVersionsDialogProps {
  chain: Chain
  onClose: () => void
}

interface Restoring {
  number: number
  conflict: Chain | null
}

export default function ChainVersionsDialog({ chain, onClose }: ChainVersionsDialogProps) {
  const list = useQuery(chainVersionsQuery(chain.id))
  const [restoring, setRestoring] = useState<Restoring | null>(null)
  const { mutateAsync, isPending } = useRestoreChain(chain.id)
  const restore = async ({ number, revision }: { number: number; revision: number }) => {
    try {
      const { version } = await mutateAsync({ number, revision })
      toast({ title: 'Chain updated', description: `Version ${number} is back, as version ${version}.` })
      onClose()
    } catch (error) {
      const conflict = conflictOf({ error, schema: chainSchema })
      setRestoring(conflict ? { number, conflict } : null)
      if (conflict) return
      toast({ title: 'Failed to update chain', description: errorReason(error), variant: 'destructive' })
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
        chain.canEdit && !restoring?.conflict
          ? (number) => (
              <>
                <Button
                  variant="secondary"
                  size="sm"
                  onClick={() => setRestoring({ number, conflict: null })}
                >
                  <RotateCcwIcon />
                  Restore version {number}
                </Button>
                <ConfirmDialog
                  open={restoring !== null}
                  onOpenChange={(open) => open || setRestoring(null)}
                  title={`Restore version ${number}?`}
                  description="Its steps and settings are saved as a new version. Runs in progress keep theirs."
                  confirmLabel="Restore"
                  variant="primary"
                  pending={isPending}
                  onConfirm={() => void restore({ number, revision: chain.revision })}
                />
              </>
            )
          : undefined
      }
      notice={
        restoring?.conflict && (
          <RestoreConflict
            chainId={chain.id}
            number={restoring.number}
            current={restoring.conflict}
            pending={isPending}
            onRestore={(revision) => void restore({ number: restoring.number, revision })}
            onLeave={onClose}
          />
        )
      }
      onSelect={() => setRestoring(null)}
      onClose={onClose}
    />
  )
}

function stepsOf({ stepCount }: ListedChainVersion): string {
  return stepCount === 1 ? '1 step' : `${stepCount} steps`
}

interface RestoreConflictProps {
  chainId: number
  number: number
  current: Chain
  pending: boolean
  onRestore: (revision: number) => void
  onLeave: () => void
}

function RestoreConflict({ chainId, number, current, pending, onRestore, onLeave }: RestoreConflictProps) {
  const { data: version } = useQuery(chainVersionQuery({ chainId, number }))
  if (!version) return null
  const differences = [
    { label: 'Name', mine: version.name, theirs: current.name },
    { label: 'Description', mine: version.description, theirs: current.description },
    { label: 'Steps', mine: stepLines(version.steps), theirs: stepLines(current.steps) },
  ]
  return (
    <ConflictPanel
      noun="chain"
      mineLabel={`Version ${number}`}
      keepLabel={`Restore version ${number}`}
      differences={differences.filter(({ mine, theirs }) => mine !== theirs)}
      pending={pending}
      onKeepMine={() => onRestore(current.revision)}
      onTakeTheirs={onLeave}
    />
  )
}

function stepLines(steps: readonly { title: string }[]): string {
  return steps.map((step, index) => `${index + 1} ${stepTitle(step)}`).join('\n')
}
