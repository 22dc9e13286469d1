import { isFound, type ListedPrompt } from '@catenary/contracts'
import { SearchPicker } from '../../components/forms/search-picker.tsx'
import { useFoundPrompts } from './use-found-prompts.ts'

const NONE = 'none'

export interface PromptPickerProps {
  value: number | null
  linkedTitle: string
  none: { title: string; hint?: string; isChoice: boolean }
  onChange: (prompt: ListedPrompt | null) => void
}

export function PromptPicker({ value, linkedTitle, none, onChange }: PromptPickerProps) {
  const { prompts, setSearch } = useFoundPrompts()
  const promptOf = (value: string) => prompts.find(({ id }) => id === Number(value))
  return (
    <SearchPicker
      label="Prompts"
      placeholder="Search prompts"
      nothingFound="No prompts match"
      value={value === null ? NONE : String(value)}
      onSearch={setSearch}
      find={(search) => [
        ...(none.isChoice && search === '' ? [NONE] : []),
        ...findPrompts({ prompts, search }),
      ]}
      describe={(value) => {
        if (value === NONE) return none
        const prompt = promptOf(value)
        return { title: prompt?.title ?? linkedTitle, hint: prompt?.category }
      }}
      onChange={(value) => onChange(promptOf(value) ?? null)}
    />
  )
}

function findPrompts({ prompts, search }: { prompts: readonly ListedPrompt[]; search: string }): string[] {
  return prompts.flatMap(({ id, title }) => (isFound(title, search) ? String(id) : []))
}
