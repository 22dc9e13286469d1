import type { Prompt } from '@catenary/contracts'
import type { LibrarySort } from '../../lib/filters.ts'

const byTitle = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The prompts in the wanted order; they come last updated first. */
export function sortPrompts({ prompts, sort }: { prompts: Prompt[]; sort: LibrarySort }): Prompt[] {
  if (sort === 'title') return prompts.toSorted((left, right) => byTitle.compare(left.title, right.title))
  if (sort === 'created') return prompts.toSorted((left, right) => right.id - left.id)
  return prompts
}
