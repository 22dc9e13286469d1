import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import { ChainLabelChoice, type Releases } from '../../shared/versions/version-choice.tsx'
import { TokenLimits, TokenNameField } from '../token-fields.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'

export interface ChainTokenDialogProps extends Omit<UseTokenFormOptions, 'of'> {
  chainId: number
  /** What of the chain can be run. */
  releases: Releases | undefined
}

/** Creates or edits a token of one chain. */
export function ChainTokenDialog({ chainId, releases, ...options }: ChainTokenDialogProps) {
  const { form, values, dialog } = useTokenForm({ ...options, of: { kind: 'chain', chainId } })
  return (
    <DraftFormDialog
      title={options.token ? 'Edit API Token' : 'Create API Token'}
      description={
        options.token ? undefined : 'A program with this token can call this chain as if it were a model.'
      }
      submitLabel={options.token ? 'Save Changes' : 'Create Token'}
      pendingLabel={options.token ? 'Saving...' : 'Creating...'}
      {...dialog}
    >
      <TokenNameField form={form} />
      <Controller
        control={form.control}
        name="chainLabel"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <ChainLabelChoice
            value={value}
            releases={releases}
            error={form.formState.errors.chainLabel?.message}
            onChange={onChange}
            onBlur={onBlur}
            ref={ref}
          />
        )}
      />
      <TokenLimits form={form} values={values} />
    </DraftFormDialog>
  )
}
