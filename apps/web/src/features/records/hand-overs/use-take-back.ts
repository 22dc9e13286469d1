import type { HandOver } from '@catenary/contracts'
import { errorReason } from '../../../lib/errors.ts'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { nameText } from './hand-over-texts.ts'
import { useEndOffer } from './hand-overs.queries.ts'

/** Ends what one offers; `onDone` once it is. */
export function useTakeBack(onDone?: () => void) {
  const { mutate, isPending, variables } = useEndOffer()
  const takeBack = (offer: HandOver) =>
    mutate(offer, {
      onSuccess: () => {
        const name = nameText({ kind: offer.kind, name: offer.title })
        toast({ title: 'Offer taken back', description: `${name} stays yours.` })
        onDone?.()
      },
      onError: toastFailure('The offer couldn’t be taken back', errorReason),
    })
  return { takeBack, taking: isPending ? variables : undefined }
}
