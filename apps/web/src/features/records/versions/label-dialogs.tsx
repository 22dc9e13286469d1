import type { VersionLabels } from '@catenary/contracts'
import { type ReactNode, useState } from 'react'
import { LabelMovesDialog } from './label-moves-dialog.tsx'
import { MoveLabelDialog } from './move-label-dialog.tsx'
import { RemoveLabelDialog } from './remove-label-dialog.tsx'
import { VersionNoteDialog } from './version-note-dialog.tsx'
import type { LabelDialog, RailVersion, Versioned, VersionPair } from './versioned.ts'

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
