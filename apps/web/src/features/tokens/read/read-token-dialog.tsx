import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { TokenFormDialog } from '../token-form-dialog.tsx'
import { type UseTokenFormOptions, useTokenForm } from '../use-token-form.ts'
import { PromptPicker, type SelectablePrompt } from './prompt-picker.tsx'

export interface ReadTokenDialogProps extends Omit<UseTokenFormOptions, 'of'> {
  /** Prompts whose titles are known before any are found. */
  known: readonly SelectablePrompt[]
  /** Undefined while they are on their way. */
  prompts: readonly SelectablePrompt[] | undefined
  onSearch: (search: string) => void
}

/** Creates or edits a read token. */
export function ReadTokenDialog({ known, prompts, onSearch, ...options }: ReadTokenDialogProps) {
  const state = useTokenForm({ ...options, of: { kind: 'read' } })
  const { control } = state.form
  // What was chosen keeps its title when the search finds others.
  const [met, setMet] = useState(known)
  const titles = new Map([...met, ...(prompts ?? [])].map(({ id, title }) => [id, title]))
  const chosen = state.values.promptIds.map((id) => ({ id, title: titles.get(id) ?? `Prompt ${id}` }))
  return (
    <TokenFormDialog
      {...state}
      token={options.token}
      noun="Read Token"
      description={options.token ? undefined : 'A program with this token can fetch these prompts by label.'}
      runsChains={false}
    >
      <Controller
        control={control}
        name="promptIds"
        render={({ field: { onChange } }) => (
          <PromptPicker
            prompts={prompts}
            onSearch={onSearch}
            chosen={chosen}
            onChange={(ids) => {
              setMet([...titles].map(([id, title]) => ({ id, title })))
              onChange(ids)
            }}
          />
        )}
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
