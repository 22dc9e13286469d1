import type { VersionLabels } from '@catenary/contracts'
import { type ReactNode, useState } from 'react'
import { LabelMovesDialog } from './label-moves-dialog.tsx'
import { MoveLabelDialog } from './move-label-dialog.tsx'
import { RemoveLabelDialog } from './remove-label-dialog.tsx'
import type { Versioned } from './version-labels.queries.ts'
import { VersionNoteDialog } from './version-note-dialog.tsx'
import type { RailVersion } from './version-rail.tsx'
import type { VersionPair } from './versions-view.tsx'

/** What is done with labels or a note just now. */
export type LabelDialog =
  | { kind: 'move'; label: string; from: number | null; to: number }
  | { kind: 'new'; to: number }
  | { kind: 'remove'; label: string; version: number }
  | { kind: 'note'; version: number }
  | { kind: 'moves' }

/** One of the dialogs at a time. */
export function useLabelDialogs() {
  const [shown, setShown] = useState<LabelDialog | null>(null)
  return { shown, open: setShown, close: () => setShown(null) }
}

export interface LabelDialogsProps extends ReturnType<typeof useLabelDialogs> {
  record: Versioned
  versions: readonly RailVersion[]
  labels: VersionLabels['labels']
  mayChange: boolean
  renderDifference: (pair: VersionPair) => ReactNode
}

/** The dialog that is open over the versions, if one is. */
export function LabelDialogs({ shown, close, versions, ...props }: LabelDialogsProps) {
  switch (shown?.kind) {
    case 'move':
      return <MoveLabelDialog {...props} {...shown} onClose={close} />
    case 'new':
      return <MoveLabelDialog {...props} label={null} from={null} to={shown.to} onClose={close} />
    case 'remove':
      return <RemoveLabelDialog {...props} {...shown} onClose={close} />
    case 'note': {
      const note = versions.find(({ number }) => number === shown.version)?.note ?? ''
      return <VersionNoteDialog {...props} number={shown.version} note={note} onClose={close} />
    }
    case 'moves':
      return <LabelMovesDialog {...props} onClose={close} />
    default:
      return null
  }
}
