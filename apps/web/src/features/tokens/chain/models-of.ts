import type { Chain } from '@catenary/contracts'

/** What programs can call the chain: its number, its slug, and both with each of its labels. */
export function modelsOf({ id, slug, labels }: Pick<Chain, 'id' | 'slug' | 'labels'>): string[] {
  const names = [`chain-${id}`, slug]
  return [...names, ...labels.flatMap(({ label }) => names.map((name) => `${name}@${label}`))]
}
