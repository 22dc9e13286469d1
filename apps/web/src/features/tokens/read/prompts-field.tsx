import { useState } from 'react'
import { type Control, Controller } from 'react-hook-form'
import type { TokenForm, TokenFormInput } from '../token-fields.tsx'
import { PromptPicker, type SelectablePrompt } from './prompt-picker.tsx'

export interface PromptsFieldProps {
  control: Control<TokenFormInput, unknown, TokenForm>
  promptIds: readonly number[]
  known: readonly SelectablePrompt[]
  prompts: readonly SelectablePrompt[] | undefined
  onSearch: (search: string) => void
  hint?: string
}

export function PromptsField({ control, promptIds, known, prompts, onSearch, ...texts }: PromptsFieldProps) {
  const [met, setMet] = useState(known)
  const titles = new Map([...met, ...(prompts ?? [])].map(({ id, title }) => [id, title]))
  const chosen = promptIds.map((id) => ({ id, title: titles.get(id) ?? `Prompt ${id}` }))
  return (
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
          {...texts}
        />
      )}
    />
  )
}
