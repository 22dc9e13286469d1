import type { Chain } from '@catenary/contracts'

/** What schedules and tokens can run of a chain; undefined until the chain is known. */
export function releasesOf(chain: Pick<Chain, 'version' | 'labels'> | undefined) {
  return chain && { latest: chain.version, labels: chain.labels }
}
