import type { ChainRunPresence, RunDetails, RunPresence } from '@catenary/contracts'
import { LockIcon } from 'lucide-react'

type Shown = 'sight' | 'usesPrivateValues' | 'sharing' | 'executedBy'
type FullRun = Pick<RunDetails, Shown> & { status: RunDetails['status'] | RunPresence['status'] }
type AnyRun = FullRun | Pick<ChainRunPresence | RunPresence, Shown | 'status'>

export function AccessNote({ run }: { run: AnyRun }) {
  const words = accessText(run)
  if (words === undefined) return null
  return (
    <p className="flex gap-1.5 text-xs text-text-3">
      {(run.sight === 'figures' || run.sight === 'presence') && (
        <LockIcon className="mt-px size-3.5 shrink-0" />
      )}
      <span className="min-w-0 wrap-anywhere">{words}</span>
    </p>
  )
}

function accessText({ sight, usesPrivateValues, sharing, status, executedBy }: AnyRun): string | undefined {
  if (sight === 'own') return undefined
  if (sight === 'presence') return `Uses private values: only ${executedBy} sees more.`
  if (sight === 'texts') return sharing === 'none' ? undefined : `Shared by ${executedBy}.`
  if (status === 'running') return 'Metrics only until the run ends.'
  if (usesPrivateValues) return `Metrics only: this run used ${executedBy}’s private values.`
  return 'Metrics only: the texts of this run are not shared with you.'
}

interface OwnAccessNoteProps {
  run: FullRun & Pick<RunDetails, 'isSeenByEditors'>
  /** Whoever made the chain knows who else sees it. */
  isOwnChain: boolean
}

export function OwnAccessNote({ run, isOwnChain }: OwnAccessNoteProps) {
  if (run.sharing !== 'none')
    return <p className="text-xs text-text-3">Shared with everyone who sees the chain</p>
  // What holds for runs with private values stands once, below all runs.
  if (isOwnChain || !run.isSeenByEditors || run.usesPrivateValues) return null
  return <p className="text-xs text-text-3">Seen by the chain’s owner and editors too</p>
}
