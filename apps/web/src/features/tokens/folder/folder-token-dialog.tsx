import { Controller } from 'react-hook-form'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'

export function FolderTokenDialog(options: Omit<UseTokenFormOptions, 'of'>) {
  const state = useTokenForm({ ...options, of: { kind: 'folder' } })
  const { control } = state.form
  return (
    <TokenFormDialog
      {...state}
      token={options.token}
      reach={state.values.mayEvaluate ? { allPrompts: true, allChains: true } : {}}
      noun="Folder Token"
      description={
        options.token
          ? undefined
          : 'The commands of catenary read with it all that is yours, as files for Git.'
      }
      runsChains={false}
    >
      <Controller
        control={control}
        name="mayWrite"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label="May write"
            hint="Push: new versions of what is yours, as you. It deletes and shares nothing, and moves no protected label."
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
      <Controller
        control={control}
        name="mayEvaluate"
        render={({ field: { value, onChange, onBlur } }) => (
          <SwitchField
            label="May evaluate"
            hint="It starts evaluations, at your cost."
            checked={value}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </TokenFormDialog>
  )
}
