import type { Chain, ChainStep } from '@catenary/contracts'
import { EyeIcon } from 'lucide-react'
import { useState } from 'react'
import { DialogSuspense } from '../../../../components/dialog-suspense.tsx'
import { part } from '../../../../components/part.tsx'
import { Button } from '../../../../components/ui/button.tsx'

export const StepPreviewDialog = part(() => import('./step-preview-dialog.tsx'))

export interface PreviewButtonProps {
  chain: Chain
  step: ChainStep
  isUnsaved?: boolean
}

/** Opens the preview above a dialog that is about the step. */
export function PreviewButton({ chain, step, isUnsaved = false }: PreviewButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [valuesOf, setValuesOf] = useState<number>()
  if (!chain.canExecute) return null
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        onClick={() => setIsOpen(true)}
        className="-mt-0.5 pointer-coarse:-mt-2.5"
      >
        <EyeIcon />
        Preview
      </Button>
      {isOpen && (
        <DialogSuspense>
          <StepPreviewDialog
            chain={chain}
            step={step}
            valuesOf={valuesOf}
            isUnsaved={isUnsaved}
            onChoose={setValuesOf}
            onRunFrom={undefined}
            onClose={() => setIsOpen(false)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
