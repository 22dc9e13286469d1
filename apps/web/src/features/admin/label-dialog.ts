import type { LabelKind, ManagedLabel } from '@catenary/contracts'

/** What each dialog about a category or tag is given. */
export interface LabelDialogProps {
  kind: LabelKind
  label: ManagedLabel
  /** All of the kind. */
  others: ManagedLabel[]
  onClose: () => void
}
