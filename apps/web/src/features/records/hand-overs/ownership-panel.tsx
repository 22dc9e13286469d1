import type { HandOver } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ErrorState } from '../../../components/error-state.tsx'
import { LearnMore } from '../../../components/learn-more.tsx'
import { SettingsPanel, SettingsPart, SettingsRows } from '../../../components/settings-panel.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { KIND_ICONS, KIND_NAMES, pathOf } from './hand-over-texts.ts'
import { handOversQuery } from './hand-overs.queries.ts'
import { useAnswer } from './use-answer.tsx'
import { useTakeBack } from './use-take-back.ts'

/** What is offered to one, and what one offers to others. */
export default function OwnershipPanel() {
  const { data, error, refetch } = useQuery(handOversQuery)
  return (
    <SettingsPanel
      title="Ownership"
      description={
        <>
          Hand over what you own to another person from its menu or its form.{' '}
          <LearnMore about="handingOver" />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : data ? (
        <>
          <SettingsPart title="Offered to you">
            <ToAnswer offers={data.filter(({ canAccept }) => canAccept)} />
          </SettingsPart>
          <SettingsPart title="Offered by you">
            <ToTakeBack offers={data.filter(({ canTakeBack }) => canTakeBack)} />
          </SettingsPart>
        </>
      ) : (
        <div role="status">
          <span className="sr-only">Loading offers</span>
          <Skeleton className="h-44" />
        </div>
      )}
    </SettingsPanel>
  )
}

interface OffersProps {
  offers: readonly HandOver[]
}

function ToAnswer({ offers }: OffersProps) {
  const { accept, decline, declining, dialog } = useAnswer()
  return (
    <>
      {offers.length === 0 ? (
        <p className="text-sm text-text-3">
          Nothing waits for your answer. What others offer you is shown here, and above every page.
        </p>
      ) : (
        <SettingsRows label="Offered to you">
          {offers.map((offer) => (
            <OfferRow
              key={keyOf(offer)}
              offer={offer}
              about={`from ${offer.owner}${offer.keep === 'editor' ? ', who can still edit it' : ''}`}
            >
              <Button size="sm" aria-label={`Accept ${offer.title}`} onClick={() => accept(offer)}>
                Accept
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Decline ${offer.title}`}
                pending={declining !== undefined && keyOf(declining) === keyOf(offer)}
                onClick={() => decline(offer)}
              >
                Decline
              </Button>
            </OfferRow>
          ))}
        </SettingsRows>
      )}
      {dialog}
    </>
  )
}

function ToTakeBack({ offers }: OffersProps) {
  const { takeBack, taking } = useTakeBack()
  if (offers.length === 0) return <p className="text-sm text-text-3">You offer nothing to anyone.</p>
  return (
    <SettingsRows label="Offered by you">
      {offers.map((offer) => (
        <OfferRow
          key={keyOf(offer)}
          offer={offer}
          about={`to ${offer.to}${offer.keep === 'editor' ? ', you can still edit it' : ''}`}
        >
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Take back ${offer.title}`}
            pending={taking !== undefined && keyOf(taking) === keyOf(offer)}
            onClick={() => takeBack(offer)}
          >
            Take back
          </Button>
        </OfferRow>
      ))}
    </SettingsRows>
  )
}

interface OfferRowProps {
  offer: HandOver
  about: string
  children: ReactNode
}

function OfferRow({ offer, about, children }: OfferRowProps) {
  const { kind, title, canView, endsAt } = offer
  const Icon = KIND_ICONS[kind]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <Icon className="size-4 shrink-0 text-text-3" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm font-medium wrap-anywhere">
          {canView ? (
            <Link
              href={pathOf(offer)}
              dir="auto"
              className="block py-0.5 hover:underline pointer-coarse:py-3"
            >
              {title}
            </Link>
          ) : (
            <span dir="auto">{title}</span>
          )}
        </p>
        <p className="text-xs text-text-3 wrap-anywhere">
          {`${KIND_NAMES[kind]} ${about} · until `}
          <Time time={endsAt} as="day" />
        </p>
      </div>
      <div className="flex shrink-0 gap-2 max-sm:w-full max-sm:justify-end">{children}</div>
    </li>
  )
}

const keyOf = ({ kind, id }: Pick<HandOver, 'kind' | 'id'>): string => `${kind} ${id}`
