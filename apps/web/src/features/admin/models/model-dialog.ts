import type { ManagedModel, ModelProvider } from '@catenary/contracts'

/** What each dialog about a model is given. */
export interface ModelDialogProps {
  model: ManagedModel
  provider: ModelProvider
  onClose: () => void
}
