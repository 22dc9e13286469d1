import { isFound, READ_TOKEN_TEXTS } from '@catenary/contracts'
import { useState } from 'react'
import { Input } from '../../../components/ui/input.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { toggleId } from '../../../lib/filters.ts'

interface SelectablePrompt {
  id: number
  title: string
}

const SHOWN_MAX = 200

export interface PromptPickerProps {
  prompts: readonly SelectablePrompt[] | undefined
  onSearch: (search: string) => void
  /** Chosen prompts come first, in every search. */
  chosen: readonly SelectablePrompt[]
  onChange: (ids: number[]) => void
  hint?: string
}

export function PromptPicker({
  prompts,
  onSearch,
  chosen,
  onChange,
  hint = READ_TOKEN_TEXTS.choosePrompts,
}: PromptPickerProps) {
  const [search, setSearch] = useState('')
  if (!prompts) return <Skeleton className="h-[236px]" />
  if (prompts.length === 0) return <p className="text-sm text-text-2">{READ_TOKEN_TEXTS.noPrompts}</p>
  const ids = chosen.map(({ id }) => id)
  const others = prompts
    .filter(({ id, title }) => !ids.includes(id) && isFound(title, search))
    .slice(0, SHOWN_MAX)
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-control border border-line">
        <Input
          type="search"
          aria-label="Search prompts"
          placeholder="Search prompts"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            onSearch(target.value.trim())
          }}
          className="rounded-none border-0 border-b"
        />
        <fieldset className="h-[200px] min-w-0 overflow-y-auto p-1">
          <legend className="sr-only">Prompts</legend>
          {chosen.map((prompt) => (
            <Choice key={prompt.id} prompt={prompt} isChosen ids={ids} onChange={onChange} />
          ))}
          {others.map((prompt) => (
            <Choice key={prompt.id} prompt={prompt} isChosen={false} ids={ids} onChange={onChange} />
          ))}
          {others.length === 0 && search.trim() !== '' && (
            <p className="px-2 py-6 text-center text-sm text-text-3">No other prompt has that name.</p>
          )}
        </fieldset>
      </div>
      <p className="text-xs text-text-3">{chosen.length === 0 ? hint : `${chosen.length} chosen`}</p>
    </div>
  )
}

interface ChoiceProps extends Pick<PromptPickerProps, 'onChange'> {
  prompt: SelectablePrompt
  isChosen: boolean
  ids: readonly number[]
}

function Choice({ prompt: { id, title }, isChosen, ids, onChange }: ChoiceProps) {
  return (
    <label className="flex items-start gap-2.5 rounded-[6px] px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={() => onChange(toggleId({ ids, id }))}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span dir="auto" className="min-w-0 truncate text-sm">
        {title}
      </span>
    </label>
  )
}
