import type { HandOver } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { HandshakeIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { useSession } from '../../../lib/session/session.tsx'
import { nameText } from './hand-over-texts.ts'
import { handOversQuery } from './hand-overs.queries.ts'
import { useAnswer } from './use-answer.tsx'

const ALL_OFFERS = '/settings/ownership'
const ACTION = 'font-medium underline'

/** Above every page while something is offered to one: no mail says so. */
export function OfferBar() {
  const { user } = useSession()
  const [path] = useLocation()
  const { data = [] } = useQuery({ ...handOversQuery, enabled: user !== null })
  const { accept, decline, declining, dialog } = useAnswer()
  const offered = user ? data.filter(({ canAccept }) => canAccept) : []
  const offer = offered.find((one) => isOf(one, path)) ?? (offered.length === 1 ? offered[0] : undefined)
  return (
    <>
      {offered.length > 0 && path !== ALL_OFFERS && (
        <aside aria-label="Offers">
          {offer ? (
            <Bar
              action={
                <span className="flex shrink-0 gap-6">
                  <Button variant="link" className={ACTION} onClick={() => accept(offer)}>
                    Accept
                  </Button>
                  <Button
                    variant="link"
                    className={ACTION}
                    pending={declining?.id === offer.id && declining.kind === offer.kind}
                    onClick={() => decline(offer)}
                  >
                    Decline
                  </Button>
                </span>
              }
            >
              <span dir="auto">{offer.owner}</span> wants to make you the owner of the {offer.kind}{' '}
              <span dir="auto">{nameText({ kind: offer.kind, name: offer.title })}</span>.
            </Bar>
          ) : (
            <Bar
              action={
                <Button asChild variant="link" className={ACTION}>
                  <Link href={ALL_OFFERS}>See offers</Link>
                </Button>
              }
            >
              {offered.length} offers to make you an owner wait for your answer.
            </Bar>
          )}
        </aside>
      )}
      {dialog}
    </>
  )
}

function Bar({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <Banner
      shape="bar"
      variant="accent"
      icon={<HandshakeIcon />}
      className="max-md:px-4 max-sm:flex-wrap max-sm:items-start max-sm:gap-y-3 max-sm:pt-2 max-sm:pb-3"
      action={<span className="shrink-0 max-sm:basis-full max-sm:pl-6">{action}</span>}
    >
      {children}
    </Banner>
  )
}

/** Whether a page is that record's own. */
function isOf({ kind, id }: HandOver, path: string): boolean {
  if (kind === 'variable') return false
  const pages = kind === 'chain' ? 'chains' : 'execute|edit|prompts'
  return new RegExp(`^/(?:${pages})/${id}(?:/|$)`).test(path)
}
