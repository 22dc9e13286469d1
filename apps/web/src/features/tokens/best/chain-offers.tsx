import type { BestToken } from '@catenary/contracts'
import { Offers } from '../offers/offers.tsx'
import { DroppedChains } from './dropped-chains.tsx'

/** Others' chains that belong to 'all', and those that could. */
export function ChainOffers({ token }: { token: BestToken | null }) {
  const hasDropped = token !== null && token.droppedChains.length > 0
  return <Offers kind="chain" notice={hasDropped && <DroppedChains token={token} />} />
}
