import { flushSync } from 'react-dom'
import { Dialog, DialogContent, DialogTitle } from '../../components/ui/dialog.tsx'
import { PaletteSearchList } from './palette-search-list.tsx'
import { usePaletteActions } from './use-palette-actions.ts'

export interface PaletteProps {
  open: boolean
  onClose: () => void
}

/** Finds, runs and creates by name. It stays mounted, so that what it started can end. */
export default function Palette({ open, onClose }: PaletteProps) {
  const actions = usePaletteActions()
  return (
    <Dialog open={open} onOpenChange={(open) => open || onClose()}>
      <DialogContent className="top-[min(130px,15dvh)] mt-0 max-h-[min(500px,80dvh)] max-w-[600px] data-[state=closed]:animate-none max-md:top-3">
        <DialogTitle className="sr-only">Command palette</DialogTitle>
        <PaletteSearchList
          actions={actions}
          onClose={onClose}
          onChoose={(run) => {
            // At once: keys that are pressed next are for what it opens. A dialog of its own would hold the focus.
            flushSync(onClose)
            run()
          }}
        />
      </DialogContent>
    </Dialog>
  )
}
