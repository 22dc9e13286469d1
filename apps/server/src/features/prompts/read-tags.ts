import type { Prompt } from '@catenary/contracts'

/** Reads `3,1,2` as tags in the order of the given ones. */
export function readTags(ordered: Prompt['tags']): (ids: string | null) => Prompt['tags'] {
  const places = new Map(ordered.map(({ id }, place) => [String(id), place]))
  return (ids) =>
    (ids?.split(',') ?? [])
      .flatMap((id) => places.get(id) ?? [])
      .sort((a, b) => a - b)
      .flatMap((place) => ordered[place] ?? [])
}
