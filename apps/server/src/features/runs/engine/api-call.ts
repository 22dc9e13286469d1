import type { BestChainChoice } from '@catenary/contracts'

export interface ApiCall {
  path: string
  ignored: string[]
  depth: number
  /** Its answer is fetched later (D83): what the reply then gives back of the call. */
  background?: BackgroundCall
}

interface BackgroundCall {
  model: string
  echo: Record<string, unknown>
  bestChain?: BestChainChoice | undefined
}
