import type { BestToken, ChainOffer } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { DroppedChains } from './dropped-chains.tsx'
import { chainOffersQuery, useAcceptChains, useRemoveChain } from './offers.queries.ts'

/** From this many chains on they are searched rather than listed. */
const SEARCH_FROM = 8
/** How many are shown. */
const SHOWN_MAX = 200

/** Others' chains that belong to 'all', and those that could. */
export function ChainOffers({ token }: { token: BestToken | null }) {
  const { data: offers, error, refetch } = useQuery(chainOffersQuery)
  return (
    <div className="grid gap-2.5 pl-6">
      <p className="text-xs text-text-3">
        Your own chains, and those of others that you accept. What you accept counts at once, for all your
        tokens.
      </p>
      {token !== null && token.droppedChains.length > 0 && <DroppedChains token={token} />}
      {!offers && !error && <Skeleton className="h-24" />}
      {!offers && error && (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-sm">
          <p className="text-danger wrap-anywhere">
            Others’ chains could not be loaded: {errorMessage(error)}
          </p>
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {offers?.length === 0 && <p className="text-sm text-text-2">Nobody shares a chain with you yet.</p>}
      {offers && offers.length > 0 && <OfferList offers={offers} />}
    </div>
  )
}

function OfferList({ offers }: { offers: readonly ChainOffer[] }) {
  const [search, setSearch] = useState('')
  // What was accepted before comes last; what is accepted now stays where it is.
  const [known] = useState(() => new Set(offers.filter(isAccepted).map(({ chainId }) => chainId)))
  const wanted = search.trim().toLowerCase()
  const shown = offers
    .filter(({ chainName, owner, description }) =>
      `${chainName}\n${owner}\n${description}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => Number(known.has(a.chainId)) - Number(known.has(b.chainId)))
    .slice(0, SHOWN_MAX)
  const accepted = offers.filter(isAccepted).length
  return (
    <section aria-label="Chains of others" className="overflow-hidden rounded-control border border-line">
      <p role="status" className="border-b border-line bg-inset px-3 py-1.5 text-xs text-text-2">
        {countOf(offers.length - accepted)} offered{accepted > 0 && `, ${accepted} accepted`}
      </p>
      {offers.length >= SEARCH_FROM && (
        <Input
          type="search"
          aria-label="Search chains of others"
          placeholder="Search chains and people"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          className="rounded-none border-0 border-b"
        />
      )}
      <ul className="max-h-[200px] divide-y divide-line overflow-y-auto">
        {shown.map((offer) => (
          <OfferItem key={offer.chainId} offer={offer} />
        ))}
        {shown.length === 0 && (
          <li className="px-3 py-6 text-center text-sm text-text-3">No chain or person is called so.</li>
        )}
      </ul>
    </section>
  )
}

function OfferItem({ offer }: { offer: ChainOffer }) {
  const { chainId, chainName, description } = offer
  const accept = useAcceptChains()
  const remove = useRemoveChain()
  const onError = (error: unknown) =>
    toast({ title: 'Error changing chains', description: errorMessage(error), variant: 'destructive' })
  const isPending = accept.isPending || remove.isPending
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2 text-sm">
          <span className="truncate">{chainName}</span>
          {isAccepted(offer) && <Badge variant="ok">accepted</Badge>}
        </p>
        <p className="truncate text-xs text-text-2">{ownerText(offer)}</p>
        {description !== '' && <p className="truncate text-xs text-text-3">{description}</p>}
      </div>
      {isAccepted(offer) ? (
        <Button
          variant="ghost"
          size="sm"
          pending={isPending}
          aria-label={`Remove ${chainName}`}
          onClick={() => remove.mutate(chainId, { onError })}
        >
          Remove
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          pending={isPending}
          aria-label={`Accept ${chainName}`}
          onClick={() => accept.mutate([chainId], { onError })}
        >
          Accept
        </Button>
      )}
    </li>
  )
}

const isAccepted = ({ acceptedAt }: ChainOffer): boolean => acceptedAt !== null
const countOf = (count: number): string => `${count} ${count === 1 ? 'chain' : 'chains'}`

function ownerText({ owner, ownerIsAdmin, via }: ChainOffer): string {
  const person = ownerIsAdmin ? `${owner} (administrator)` : owner
  return via === 'public' ? `${person}, public` : `${person}, shared with you`
}
