import { type BestToken, TOKEN_TEXTS } from '@catenary/contracts'
import { Controller } from 'react-hook-form'
import { Offers } from '../offers/offers.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'
import { ChainPicker, type SelectableChain } from './chain-picker.tsx'
import { ThresholdField } from './threshold-field.tsx'

export interface BestTokenDialogProps extends Omit<UseTokenFormOptions, 'of'> {
  token: BestToken | null
  chains: readonly SelectableChain[] | undefined
}

export function BestTokenDialog({ chains, ...options }: BestTokenDialogProps) {
  const state = useTokenForm({ ...options, of: { kind: 'best' } })
  const { control } = state.form
  return (
    <TokenFormDialog
      {...state}
      token={options.token}
      reach={
        state.values.includesAllChains ? { allChains: true } : { chainIds: state.values.includedChainIds }
      }
      noun="Best Chain API Token"
      description="The best-fitting chain is chosen for each request."
      switches={
        <Controller
          control={control}
          name="threshold"
          render={({ field: { value, onChange } }) => <ThresholdField value={value} onChange={onChange} />}
        />
      }
    >
      <div className="grid gap-3">
        <Controller
          control={control}
          name="includesAllChains"
          render={({ field: { value, onChange, onBlur } }) => (
            <label className="flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-11">
              <input
                type="checkbox"
                checked={value}
                onChange={({ target }) => onChange(target.checked)}
                onBlur={onBlur}
                className="size-4 shrink-0 accent-accent"
              />
              {TOKEN_TEXTS.includeAll}
            </label>
          )}
        />
        {state.values.includesAllChains ? (
          <Offers kind="chain" />
        ) : (
          <Controller
            control={control}
            name="includedChainIds"
            render={({ field: { value, onChange } }) => (
              <ChainPicker chains={chains} value={value} onChange={onChange} />
            )}
          />
        )}
      </div>
    </TokenFormDialog>
  )
}
