import type { HandOver } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogSuspense } from '../../../components/dialog-suspense.tsx'
import { part } from '../../../components/part.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { useSession } from '../../../lib/session/session.tsx'
import type { OwnedRecord } from './hand-over-texts.ts'
import { ownerQuery } from './hand-overs.queries.ts'
import { useTakeBack } from './use-take-back.ts'

const HandOverDialog = part(() => import('./hand-over-dialog.tsx'))

/** For the owner, in the form of what they own: whose it is, and a way to make it another's. */
export function OwnerLine({ record }: { record: OwnedRecord }) {
  const { user } = useSession()
  const { data } = useQuery(ownerQuery(record))
  const [isOpen, setIsOpen] = useState(false)
  if (!user) return null
  return (
    <>
      {data?.handOver ? (
        <OfferedLine offer={data.handOver} />
      ) : (
        <p className={LINE}>
          Owner: <span dir="auto">{data?.owner ?? user.username}</span> ·{' '}
          <Button variant="link" size="sm" onClick={() => setIsOpen(true)}>
            Hand over…
          </Button>
        </p>
      )}
      {isOpen && (
        <DialogSuspense>
          <HandOverDialog record={record} onClose={() => setIsOpen(false)} />
        </DialogSuspense>
      )}
    </>
  )
}

const LINE = 'text-sm leading-6 text-text-3 wrap-anywhere'

function OfferedLine({ offer }: { offer: HandOver }) {
  const { takeBack, taking } = useTakeBack()
  return (
    <p className={LINE}>
      Offered to <span dir="auto">{offer.to}</span>, waits for an answer until{' '}
      <Time time={offer.endsAt} as="day" /> ·{' '}
      <Button variant="link" size="sm" pending={taking !== undefined} onClick={() => takeBack(offer)}>
        Take back
      </Button>
    </p>
  )
}
