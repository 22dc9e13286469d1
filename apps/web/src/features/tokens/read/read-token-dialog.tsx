import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import { SwitchField } from '../../../components/forms/switch-field.tsx'
import { TokenLimits, TokenNameField } from '../token-fields.tsx'
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
  const { form, values, dialog } = useTokenForm({ ...options, of: { kind: 'read' } })
  // What was chosen keeps its title when the search finds others.
  const [met, setMet] = useState(known)
  const titles = new Map([...met, ...(prompts ?? [])].map(({ id, title }) => [id, title]))
  const chosen = values.promptIds.map((id) => ({ id, title: titles.get(id) ?? `Prompt ${id}` }))
  return (
    <DraftFormDialog
      title={options.token ? 'Edit Read Token' : 'Create Read Token'}
      description={options.token ? undefined : 'A program with this token can fetch these prompts by label.'}
      submitLabel={options.token ? 'Save Changes' : 'Create Token'}
      pendingLabel={options.token ? 'Saving...' : 'Creating...'}
      {...dialog}
    >
      <TokenNameField form={form} />
      <Controller
        control={form.control}
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
        control={form.control}
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
      <TokenLimits form={form} values={values} runsChains={false} />
    </DraftFormDialog>
  )
}
