import type { HandOver, KeptRight, OwnedKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { UserRoundIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { Time } from '../../../components/time/time.tsx'
import { ChoiceList, ChoiceListItem } from '../../../components/ui/choice-list.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { truncate } from '../../../lib/text/truncate.ts'
import { toast } from '../../../lib/toast.ts'
import { PeopleSearch } from '../../groups/people-search.tsx'
import { keptChoices, nameText, OFFERED, type OwnedRecord } from './hand-over-texts.ts'
import { ownerQuery, useOffer } from './hand-overs.queries.ts'
import { useTakeBack } from './use-take-back.ts'

const BUTTON_NAME_MAX = 24

export interface HandOverDialogProps {
  record: OwnedRecord
  onClose: () => void
}

/** The owner offers a record to another person, or finds to whom it is offered. */
export default function HandOverDialog({ record, onClose }: HandOverDialogProps) {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(ownerQuery(record))
  const offer = useOffer(record)
  const { takeBack, taking } = useTakeBack(onClose)
  const [to, setTo] = useState<string | null>(null)
  const [keep, setKeep] = useState<KeptRight>(record.kind === 'variable' ? 'nothing' : 'editor')
  const waiting = data?.handOver?.canTakeBack ? data.handOver : null
  const isOwn = data !== undefined && data.owner === user?.username
  const canOffer = isOwn && !waiting
  const submit = () => {
    if (waiting) return takeBack(waiting)
    if (to === null || !canOffer) return
    const onSuccess = () => {
      toast({
        title: `Offered to ${to}`,
        description: `${nameText(record)} stays yours until ${to} accepts it.`,
      })
      onClose()
    }
    return offer.mutate({ username: to, keep }, { onSuccess })
  }
  const offerLabel = to === null ? 'Offer' : `Offer to ${truncate({ text: to, max: BUTTON_NAME_MAX })}`
  return (
    <FormDialog
      onClose={onClose}
      title={`Hand over ${record.kind}`}
      description={
        canOffer &&
        `The person you choose owns ${nameText(record)} once they accept. Nothing changes until then.`
      }
      onSubmit={submit}
      submitLabel={waiting ? 'Take back' : offerLabel}
      pendingLabel={waiting ? 'Taking back...' : 'Offering...'}
      cancelLabel={canOffer ? 'Cancel' : 'Close'}
      pending={offer.isPending || taking !== undefined}
      submitDisabled={!waiting && (to === null || !canOffer)}
      error={offer.error && errorReason(offer.error)}
      className="max-w-[480px]"
    >
      {!data && !error && <LoadingOwner />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />}
      {data && !isOwn && (
        <p className="text-sm text-text-2">
          Only its owner can hand it over: <span dir="auto">{data.owner}</span>.
        </p>
      )}
      {waiting && <Waiting offer={waiting} />}
      {canOffer && (
        <>
          <NewOwner own={data.owner} value={to} onChange={setTo} />
          {record.kind !== 'variable' && <KeptField kind={record.kind} value={keep} onChange={setKeep} />}
          <p className="text-xs text-text-3">
            {OFFERED[record.kind]} <LearnMore about="handingOver" className="text-xs" />
          </p>
        </>
      )}
    </FormDialog>
  )
}

function LoadingOwner() {
  return (
    <div role="status">
      <span className="sr-only">Loading its owner</span>
      <Skeleton className="h-24" />
    </div>
  )
}

function Waiting({ offer: { kind, title, to, keep, endsAt } }: { offer: HandOver }) {
  return (
    <>
      <p className="text-sm wrap-anywhere">
        {`${nameText({ kind, name: title })} is offered to `}
        <span dir="auto">{to}</span> and waits for an answer until <Time time={endsAt} as="day" />.
      </p>
      <p className="text-sm text-text-2">
        {kind !== 'variable' && keep === 'editor'
          ? 'You can still edit it once it is accepted.'
          : 'You keep nothing of it once it is accepted.'}{' '}
        To offer it to somebody else, take it back first.
      </p>
    </>
  )
}

interface NewOwnerProps {
  own: string
  value: string | null
  onChange: (username: string | null) => void
}

function NewOwner({ own, value, onChange }: NewOwnerProps) {
  const headingId = useId()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    // It may come after its dialog; on touch it would bring up the keyboard.
    if (globalThis.matchMedia?.('(pointer: coarse)').matches) return
    box.current?.querySelector('input')?.focus()
  }, [])
  return (
    <section ref={box} aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 id={headingId} className="text-sm font-medium tracking-normal text-text-2">
        New owner
      </h3>
      <PeopleSearch taken={value === null ? [own] : [own, value]} onPerson={onChange} />
      <div aria-live="polite">
        {value === null ? (
          <p className="text-sm text-text-3">Nobody yet. Find a person by username.</p>
        ) : (
          <p className="flex items-center gap-2 rounded-control border border-line py-1 pr-1 pl-2.5 text-sm">
            <UserRoundIcon className="size-4 shrink-0 text-text-3" />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {value}
            </span>
            <RemoveButton label={`Remove ${value}`} onClick={() => onChange(null)} />
          </p>
        )}
      </div>
    </section>
  )
}

interface KeptFieldProps {
  kind: OwnedKind
  value: KeptRight
  onChange: (keep: KeptRight) => void
}

function KeptField({ kind, value, onChange }: KeptFieldProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium text-text-2">What do you keep?</legend>
      <ChoiceList
        aria-label="What do you keep?"
        value={value}
        onValueChange={(keep) => onChange(keep as KeptRight)}
        className="grid-cols-2 gap-2 max-sm:grid-cols-1"
      >
        {keptChoices(kind).map(({ keep, label, about }) => (
          <ChoiceListItem
            key={keep}
            value={keep}
            aria-label={`${label}: ${about}`}
            className="content-start border border-line data-[state=checked]:border-accent/60"
          >
            <span className="text-sm font-medium">{label}</span>
            <span className="text-xs text-text-2">{about}</span>
          </ChoiceListItem>
        ))}
      </ChoiceList>
    </fieldset>
  )
}
