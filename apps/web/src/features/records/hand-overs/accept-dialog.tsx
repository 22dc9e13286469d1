import type { HandOver } from '@catenary/contracts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { errorReason, isGone } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { comingText, nameText } from './hand-over-texts.ts'
import { useAcceptOffer } from './hand-overs.queries.ts'

interface AcceptDialogProps {
  offer: HandOver
  onAccepted: () => void
  onClose: () => void
}

/** Asks once, and says what comes. */
export default function AcceptDialog({ offer, onAccepted, onClose }: AcceptDialogProps) {
  const { kind, title, owner } = offer
  const { mutate, isPending, error } = useAcceptOffer()
  const name = nameText({ kind, name: title })
  const isOver = isGone(error)
  const accept = () =>
    mutate(offer, {
      onSuccess: () => {
        toast({ title: `The ${kind} is yours`, description: `You now own ${name}.` })
        onClose()
        onAccepted()
      },
    })
  return (
    <FormDialog
      onClose={onClose}
      title={`Accept the ${kind}?`}
      description={`${owner} hands over ${name} to you. You become its owner.`}
      onSubmit={accept}
      submitLabel="Accept"
      pendingLabel="Accepting..."
      cancelLabel={isOver ? 'Close' : 'Cancel'}
      pending={isPending}
      submitDisabled={isOver}
      error={
        error && (isOver ? `This offer is over. ${owner} took it back, or it has ended.` : errorReason(error))
      }
      className="max-w-[440px]"
    >
      {!isOver && (
        <ul className="grid list-disc gap-1 pl-5 text-sm text-text-2 wrap-anywhere">
          {comingText(offer).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p>
        <LearnMore about="handingOver" />
      </p>
    </FormDialog>
  )
}
