import type { Prompt } from '@catenary/contracts'
import type { LibrarySort } from '../../lib/filters.ts'

/** The prompts in the wanted order; they come last updated first. */
export function sortPrompts({ prompts, sort }: { prompts: Prompt[]; sort: LibrarySort }): Prompt[] {
  if (sort === 'title') {
    // Made here: it takes longer than all else that the library's first frame waits for.
    const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
    return prompts.toSorted((left, right) => compare(left.title, right.title))
  }
  if (sort === 'created') return prompts.toSorted((left, right) => right.id - left.id)
  return prompts
}
