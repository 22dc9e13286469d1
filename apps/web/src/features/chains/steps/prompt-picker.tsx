import type { ListedPrompt } from '@catenary/contracts'
import { SearchPicker } from '../../../components/forms/search-picker.tsx'
import { useFoundPrompts } from '../../shared/prompts/use-found-prompts.ts'

const CUSTOM = 'custom'

export interface PromptPickerProps {
  /** Null is 'Custom': the step has its own text. */
  value: number | null
  /** What a linked prompt is called that is not among the prompts. */
  linkedTitle: string
  onChange: (prompt: ListedPrompt | null) => void
}

/** Links a step to a prompt of the library, found by a part of its title. Belongs inside a `Field`. */
export function PromptPicker({ value, linkedTitle, onChange }: PromptPickerProps) {
  const { prompts, setSearch } = useFoundPrompts()
  const promptOf = (value: string) => prompts.find(({ id }) => id === Number(value))
  return (
    <SearchPicker
      label="Prompts"
      placeholder="Search prompts"
      nothingFound="No prompts match"
      value={value === null ? CUSTOM : String(value)}
      onSearch={setSearch}
      find={(search) => findPrompts({ prompts, search })}
      describe={(value) => {
        if (value === CUSTOM) return { title: 'Custom', hint: 'its own text' }
        const prompt = promptOf(value)
        return { title: prompt?.title ?? linkedTitle, hint: prompt?.category }
      }}
      onChange={(value) => onChange(promptOf(value) ?? null)}
    />
  )
}

function findPrompts({ prompts, search }: { prompts: readonly ListedPrompt[]; search: string }): string[] {
  const wanted = search.toLowerCase()
  const found = prompts.filter(({ title }) => title.toLowerCase().includes(wanted))
  return [...(wanted === '' ? [CUSTOM] : []), ...found.map(({ id }) => String(id))]
}
