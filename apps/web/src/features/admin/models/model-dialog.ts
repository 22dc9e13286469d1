import type { ManagedModel, ModelProvider } from '@catenary/contracts'

export interface ModelDialogProps {
  model: ManagedModel
  provider: ModelProvider
  onClose: () => void
}
