import type { TaxonomyKind } from '@catenary/contracts'

interface TaxonomyTexts {
  title: string
  singular: string
  plural: string
  searchLabel: string
  holder: string
}

export const TAXONOMY_TEXTS: Record<TaxonomyKind, TaxonomyTexts> = {
  category: {
    title: 'Categories',
    singular: 'category',
    plural: 'Categories',
    searchLabel: 'Search categories',
    holder: 'prompt',
  },
  prompt: {
    title: 'Prompt tags',
    singular: 'tag',
    plural: 'Tags',
    searchLabel: 'Search prompt tags',
    holder: 'prompt',
  },
  variable: {
    title: 'Variable tags',
    singular: 'tag',
    plural: 'Tags',
    searchLabel: 'Search variable tags',
    holder: 'variable',
  },
  chain: {
    title: 'Chain tags',
    singular: 'tag',
    plural: 'Tags',
    searchLabel: 'Search chain tags',
    holder: 'chain',
  },
}

/** Such as `1,204 prompts`. */
export function usesText(kind: TaxonomyKind, uses: number): string {
  const { holder } = TAXONOMY_TEXTS[kind]
  return `${uses.toLocaleString('en')} ${uses === 1 ? holder : `${holder}s`}`
}
