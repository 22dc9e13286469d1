import { DraftFormDialog } from '../../../components/draft-form-dialog.tsx'
import { TokenLimits, TokenNameField } from '../token-fields.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'

export interface ChainTokenDialogProps extends Omit<UseTokenFormOptions, 'of'> {
  chainId: number
}

/** Creates or edits a token of one chain. */
export function ChainTokenDialog({ chainId, ...options }: ChainTokenDialogProps) {
  const { form, values, dialog } = useTokenForm({ ...options, of: { kind: 'chain', chainId } })
  return (
    <DraftFormDialog
      title={options.token ? 'Edit API Token' : 'Create API Token'}
      description={
        options.token ? undefined : 'A program that has it calls this chain as if it were a model.'
      }
      submitLabel={options.token ? 'Save Changes' : 'Create Token'}
      pendingLabel={options.token ? 'Saving...' : 'Creating...'}
      {...dialog}
    >
      <TokenNameField form={form} />
      <TokenLimits form={form} values={values} />
    </DraftFormDialog>
  )
}
