import { isFound } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRightIcon } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toastFailure } from '../../../lib/toast.ts'
import { cn } from '../../../lib/utils.ts'
import { fillsText } from '../../fills/fills-field.tsx'
import { SEND_VERBS, sendText } from '../../fills/send-text.ts'
import { type Offer, type OfferKind, offersQuery, useAcceptOffer, useRemoveOffer } from './offers.queries.ts'

const SEARCH_FROM = 8
const SHOWN_MAX = 200

export interface OffersProps {
  kind: OfferKind
}

export function Offers({ kind }: OffersProps) {
  const { data: offers, error, refetch } = useQuery(offersQuery(kind))
  return (
    <div className="grid gap-2.5 pl-6">
      <p className="text-xs text-text-3">Your own {kind}s, and those of others that you accept.</p>
      {!offers && !error && <Skeleton className="h-8" />}
      {!offers && error && (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-sm">
          <p className="text-danger wrap-anywhere">
            Others’ {kind}s could not be loaded: {errorMessage(error)}
          </p>
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {offers?.length === 0 && <p className="text-sm text-text-2">Nobody shares a {kind} with you yet.</p>}
      {offers && offers.length > 0 && <OfferList kind={kind} offers={offers} />}
    </div>
  )
}

function OfferList({ kind, offers }: { kind: OfferKind; offers: readonly Offer[] }) {
  const [search, setSearch] = useState('')
  // What was accepted before comes last; what is accepted now stays where it is.
  const [known] = useState(() => new Set(offers.filter(isAccepted).map(({ id }) => id)))
  const shown = offers
    .filter(({ name, owner, description }) => isFound(`${name}\n${owner}\n${description}`, search))
    .toSorted((a, b) => Number(known.has(a.id)) - Number(known.has(b.id)))
    .slice(0, SHOWN_MAX)
  const accepted = offers.filter(isAccepted).length
  // Folded, unless something waits for an answer: most people come for a name and a press.
  const [isOpen, setIsOpen] = useState(() =>
    offers.some((one) => isAccepted(one) && one.asksToFill.length + one.asksToSend.length > 0),
  )
  return (
    <section
      aria-label={`${kind === 'chain' ? 'Chains' : 'Prompts'} of others`}
      className="overflow-hidden rounded-control border border-line"
    >
      <Collapsible open={isOpen} onOpenChange={setIsOpen}>
        <CollapsibleTrigger className="flex min-h-8 w-full items-center gap-1.5 bg-inset px-2.5 text-left text-xs text-text-2 hover:text-text focus-visible:outline-offset-[-2px] pointer-coarse:min-h-11">
          <ChevronRightIcon aria-hidden className={cn('size-3.5 shrink-0', isOpen && 'rotate-90')} />
          <span aria-live="polite">
            {countOf({ count: offers.length - accepted, kind })} offered
            {accepted > 0 && `, ${accepted} accepted`}
          </span>
        </CollapsibleTrigger>
        <CollapsibleContent className="border-t border-line">
          <p className="border-b border-line px-3 py-1.5 text-xs text-text-3">
            What you accept applies at once to all your tokens.
          </p>
          {offers.length >= SEARCH_FROM && (
            <Input
              type="search"
              aria-label={`Search ${kind}s of others`}
              placeholder={`Search ${kind}s and people`}
              value={search}
              onChange={({ target }) => setSearch(target.value)}
              className="rounded-none border-0 border-b"
            />
          )}
          <ul className="max-h-[200px] divide-y divide-line overflow-y-auto">
            {shown.map((offer) => (
              <OfferItem key={offer.id} kind={kind} offer={offer} />
            ))}
            {shown.length === 0 && (
              <li className="px-3 py-6 text-center text-sm text-text-3">
                No {kind} or person has that name.
              </li>
            )}
          </ul>
        </CollapsibleContent>
      </Collapsible>
    </section>
  )
}

function OfferItem({ kind, offer }: { kind: OfferKind; offer: Offer }) {
  const { id, name, description } = offer
  const accept = useAcceptOffer(kind)
  const remove = useRemoveOffer(kind)
  const onError = toastFailure(`Error changing ${kind}s`)
  const asked = [...new Set(offer.asksToFill.map(({ name }) => name))]
  const waits = isAccepted(offer) && asked.length + offer.asksToSend.length > 0
  const isPending = accept.isPending || remove.isPending
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2 text-sm">
          <span dir="auto" className="truncate">
            {name}
          </span>
          {isAccepted(offer) && <Badge variant="ok">accepted</Badge>}
        </p>
        <p className="truncate text-xs text-text-2">{ownerText(offer)}</p>
        {asked.length > 0 && (
          <p className="truncate text-xs text-warn">
            {isAccepted(offer)
              ? `Doesn’t fill in your private ${asked.length === 1 ? 'variable' : 'variables'} ${asked.join(', ')} yet`
              : fillsText(asked)}
          </p>
        )}
        {isAccepted(offer) &&
          offer.asksToSend.map((send) => (
            <p key={`${send.position}.${send.destination}`} className="text-xs text-warn wrap-anywhere">
              Stops at “<bdi>{send.title}</bdi>”: it would {SEND_VERBS[send.kind]} your private values to{' '}
              {sendText(send)}
            </p>
          ))}
        {description !== '' && (
          <p dir="auto" className="truncate text-xs text-text-3">
            {description}
          </p>
        )}
      </div>
      {waits && (
        <Button
          variant="secondary"
          size="sm"
          pending={isPending}
          aria-label={`Allow private values in ${name}`}
          onClick={() => accept.mutate(offer, { onError })}
        >
          Allow
        </Button>
      )}
      {isAccepted(offer) ? (
        <Button
          variant="ghost"
          size="sm"
          pending={isPending}
          aria-label={`Remove ${name}`}
          onClick={() => remove.mutate(id, { onError })}
        >
          Remove
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          pending={isPending}
          aria-label={`Accept ${name}`}
          onClick={() => accept.mutate(offer, { onError })}
        >
          Accept
        </Button>
      )}
    </li>
  )
}

const isAccepted = ({ acceptedAt }: Offer): boolean => acceptedAt !== null
const countOf = ({ count, kind }: { count: number; kind: OfferKind }): string =>
  `${count} ${count === 1 ? kind : `${kind}s`}`

function ownerText({ owner, ownerIsAdmin, via }: Offer): string {
  const person = ownerIsAdmin ? `${owner} (administrator)` : owner
  return via === 'public' ? `${person}, public` : `${person}, shared with you`
}
