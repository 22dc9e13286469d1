import { useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { FirstStepsStrip } from '../../features/first-steps/first-steps-strip.tsx'

const ModelKeyDialog = part(() => import('./model-key-dialog.tsx'))

/** The first steps, with the dialog that the first of them opens. */
export function FirstSteps() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <FirstStepsStrip onAddKey={() => setIsOpen(true)} />
      {isOpen && (
        <DialogSuspense>
          <ModelKeyDialog onClose={() => setIsOpen(false)} />
        </DialogSuspense>
      )}
    </>
  )
}
