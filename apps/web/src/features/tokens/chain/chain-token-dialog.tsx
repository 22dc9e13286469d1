import { TOKEN_TEXTS } from '@catenary/contracts'
import { Controller } from 'react-hook-form'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { ChainLabelChoice, type Releases } from '../../records/versions/version-choice.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'

export interface ChainTokenDialogProps extends Omit<UseTokenFormOptions, 'of'> {
  chainId: number | null
  releases: Releases | undefined
  choice?: {
    chains: readonly { id: number; name: string }[] | undefined
    onChoose: (chainId: number) => void
  }
}

export function ChainTokenDialog({ chainId, releases, choice, ...options }: ChainTokenDialogProps) {
  const of = { kind: 'chain', chainId: chainId ?? 0, isChosenHere: choice !== undefined } as const
  const { dialog, ...state } = useTokenForm({ ...options, of })
  return (
    <TokenFormDialog
      {...state}
      dialog={{ ...dialog, submitDisabled: dialog.submitDisabled || chainId === null }}
      token={options.token}
      reach={{ chainIds: chainId === null ? [] : [chainId] }}
      noun="API Token"
      description={
        options.token ? undefined : 'A program with this token can call this chain as if it were a model.'
      }
    >
      {choice && (
        <ChainChoice
          {...choice}
          chainId={chainId}
          onChoose={(id) => {
            // A label is of its chain.
            state.form.setValue('chainLabel', null)
            choice.onChoose(id)
          }}
        />
      )}
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

type ChainChoiceProps = Required<Pick<ChainTokenDialogProps, 'chainId'>> &
  NonNullable<ChainTokenDialogProps['choice']>

function ChainChoice({ chains, chainId, onChoose }: ChainChoiceProps) {
  if (chains?.length === 0) return <p className="text-sm text-text-2">{TOKEN_TEXTS.noChains}</p>
  return (
    <Field label="Chain">
      <ChoiceSelect
        choices={(chains ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chainId === null ? '' : String(chainId)}
        onChange={(id) => onChoose(Number(id))}
        placeholder="Choose a chain"
      />
    </Field>
  )
}
