import type { ModelAlias } from '@catenary/contracts'

export interface ColumnActions {
  onStop?: (() => void) | undefined
  onRunAgain?: (() => void) | undefined
  onOtherModel?: ((model: ModelAlias) => void) | undefined
  saving?: { number: number; onSave: () => void } | undefined
  onSaveTest?: (() => void) | undefined
}
