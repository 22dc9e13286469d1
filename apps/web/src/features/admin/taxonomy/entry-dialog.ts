import type { TaxonomyEntry, TaxonomyKind } from '@catenary/contracts'

export interface EntryDialogProps {
  kind: TaxonomyKind
  entry: TaxonomyEntry
  others: TaxonomyEntry[]
  onClose: () => void
}
