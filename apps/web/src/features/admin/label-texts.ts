import type { LabelKind } from '@catenary/contracts'

interface LabelTexts {
  title: string
  singular: string
  plural: string
  searchLabel: string
  /** What has it. */
  holder: string
}

/** How categories and tags of each kind are called. */
export const LABEL_TEXTS: Record<LabelKind, LabelTexts> = {
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
export function usesText(kind: LabelKind, uses: number): string {
  const { holder } = LABEL_TEXTS[kind]
  return `${uses.toLocaleString('en')} ${uses === 1 ? holder : `${holder}s`}`
}
