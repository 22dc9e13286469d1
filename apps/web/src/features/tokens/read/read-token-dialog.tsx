import { Controller } from 'react-hook-form'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'
import { PromptsField, type PromptsFieldProps } from './prompts-field.tsx'

export interface ReadTokenDialogProps
  extends Omit<UseTokenFormOptions, 'of'>,
    Pick<PromptsFieldProps, 'known' | 'prompts' | 'onSearch'> {}

export function ReadTokenDialog({ known, prompts, onSearch, ...options }: ReadTokenDialogProps) {
  const state = useTokenForm({ ...options, of: { kind: 'read' } })
  const { control } = state.form
  return (
    <TokenFormDialog
      {...state}
      token={options.token}
      reach={{ promptIds: state.values.promptIds }}
      noun="Read Token"
      description={options.token ? undefined : 'A program with this token can fetch these prompts by label.'}
      runsChains={false}
    >
      <PromptsField
        control={control}
        known={known}
        prompts={prompts}
        onSearch={onSearch}
        promptIds={state.values.promptIds}
      />
      <Controller
        control={control}
        name="mayRun"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label="May run"
            hint="It runs these prompts too, through /v1/responses, as you and at your cost."
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </TokenFormDialog>
  )
}
