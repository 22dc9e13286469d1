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

export function OwnAccessNote({ run }: { run: FullRun & Pick<RunDetails, 'isSeenByEditors'> }) {
  const words = ownAccessText(run)
  return words === undefined ? null : <p className="text-xs text-text-3">{words}</p>
}

function ownAccessText({
  sharing,
  usesPrivateValues,
  isSeenByEditors,
}: Parameters<typeof OwnAccessNote>[0]['run']): string | undefined {
  if (sharing !== 'none') return 'Shared with everyone who sees the chain'
  if (!isSeenByEditors) return undefined
  return usesPrivateValues
    ? 'The chain’s owner and editors only see that it exists, because it may use your private values'
    : 'Seen by the chain’s owner and editors too'
}
