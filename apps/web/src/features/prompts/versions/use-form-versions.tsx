import type { Prompt } from '@catenary/contracts'
import { HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { part } from '../../../components/part.tsx'
import { Button } from '../../../components/ui/button.tsx'

const VersionsDialog = part(() => import('./versions-dialog.tsx'))

export interface FormVersionsOptions {
  stored: Prompt | null
  /** That the form began with; without one, the stored one. */
  revision: number | undefined
  losesChanges: boolean
  startFrom: (prompt: Prompt) => void
}

/** The versions of the prompt that a form is of, one of which may replace what is in the form: the button and its dialog. */
export function useFormVersions({ stored, revision, losesChanges, startFrom }: FormVersionsOptions) {
  const [isShown, setIsShown] = useState(false)
  if (!stored) return { button: null, dialog: null }
  const { version } = stored
  return {
    button: (
      <Button
        variant="ghost"
        size="sm"
        onClick={() => setIsShown(true)}
        className="-mt-0.5 pointer-coarse:-mt-2.5"
      >
        <HistoryIcon />
        {version} {version === 1 ? 'version' : 'versions'}
      </Button>
    ),
    dialog: isShown && (
      <DialogSuspense>
        <VersionsDialog
          prompt={stored}
          restore={{
            revision: revision ?? stored.revision,
            losesChanges,
            onReplaced(next) {
              startFrom(next)
              setIsShown(false)
            },
          }}
          onClose={() => setIsShown(false)}
        />
      </DialogSuspense>
    ),
  }
}
