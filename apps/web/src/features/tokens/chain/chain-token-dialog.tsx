import { Controller } from 'react-hook-form'
import { ChainLabelChoice, type Releases } from '../../shared/versions/version-choice.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'

export interface ChainTokenDialogProps extends Omit<UseTokenFormOptions, 'of'> {
  chainId: number
  /** What of the chain can be run. */
  releases: Releases | undefined
}

/** Creates or edits a token of one chain. */
export function ChainTokenDialog({ chainId, releases, ...options }: ChainTokenDialogProps) {
  const state = useTokenForm({ ...options, of: { kind: 'chain', chainId } })
  return (
    <TokenFormDialog
      {...state}
      token={options.token}
      noun="API Token"
      description={
        options.token ? undefined : 'A program with this token can call this chain as if it were a model.'
      }
    >
      <Controller
        control={state.form.control}
        name="chainLabel"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <ChainLabelChoice
            value={value}
            releases={releases}
            error={state.form.formState.errors.chainLabel?.message}
            onChange={onChange}
            onBlur={onBlur}
            ref={ref}
          />
        )}
      />
    </TokenFormDialog>
  )
}
