import type { ModelAlias } from '@catenary/contracts'

/** What can be done with a run from its column; what is undefined can't. */
export interface ColumnActions {
  onStop?: (() => void) | undefined
  onRunAgain?: (() => void) | undefined
  onOtherModel?: ((model: ModelAlias) => void) | undefined
  /** Keeps the text that ran as that version. */
  saving?: { number: number; onSave: () => void } | undefined
  onSaveTest?: (() => void) | undefined
}
