import type { HandOver } from '@catenary/contracts'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { part } from '../../../components/part.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { nameText, pathOf } from './hand-over-texts.ts'
import { useEndOffer } from './hand-overs.queries.ts'

const AcceptDialog = part(() => import('./accept-dialog.tsx'))

/** What whoever is to own something does with an offer. What is accepted opens. */
export function useAnswer() {
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<HandOver | null>(null)
  const { mutate, isPending, variables } = useEndOffer()
  const decline = (offer: HandOver) =>
    mutate(offer, {
      onSuccess: () =>
        toast({
          title: 'Offer declined',
          description: `${nameText({ kind: offer.kind, name: offer.title })} stays ${offer.owner}’s.`,
        }),
      onError: toastFailure('The offer couldn’t be declined', errorReason),
    })
  return {
    accept: setAsked,
    decline,
    declining: isPending ? variables : undefined,
    dialog: asked && (
      <DialogSuspense>
        <AcceptDialog
          offer={asked}
          onAccepted={() => navigate(pathOf(asked))}
          onClose={() => setAsked(null)}
        />
      </DialogSuspense>
    ),
  }
}
