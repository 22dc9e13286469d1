import type { TaxonomyEntry, TaxonomyKind } from '@catenary/contracts'

/** What each dialog about a category or tag is given. */
export interface EntryDialogProps {
  kind: TaxonomyKind
  entry: TaxonomyEntry
  /** All of the kind. */
  others: TaxonomyEntry[]
  onClose: () => void
}
