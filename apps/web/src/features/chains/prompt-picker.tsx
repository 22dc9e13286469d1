import type { Prompt } from '@catenary/contracts'
import { Command } from 'cmdk'
import { CheckIcon, ChevronDownIcon, SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { useFieldControl } from '../../components/ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../components/ui/popover.tsx'

/** As many as one looks through. */
const SHOWN_MAX = 60
const CUSTOM = 'custom'

export interface PromptPickerProps {
  prompts: readonly Prompt[]
  /** Null is 'Custom': the step has a text of its own. */
  value: number | null
  /** What a linked prompt is called that is not among the prompts. */
  linkedTitle: string
  onChange: (prompt: Prompt | null) => void
}

/** Links a step to a prompt of the library, found by a part of its title. Belongs inside a `Field`. */
export function PromptPicker({ prompts, value, linkedTitle, onChange }: PromptPickerProps) {
  const control = useFieldControl()
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const chosen = prompts.find(({ id }) => id === value)
  const choose = (prompt: Prompt | null) => {
    setIsOpen(false)
    setSearch('')
    if ((prompt?.id ?? null) !== value) onChange(prompt)
  }
  return (
    <Popover open={isOpen} onOpenChange={setIsOpen} modal>
      <PopoverTrigger asChild>
        <Button
          variant="secondary"
          className="w-full min-w-0 shrink justify-between font-normal"
          {...control}
        >
          <span className="truncate">{value === null ? 'Custom' : (chosen?.title ?? linkedTitle)}</span>
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Prompts" className="w-(--radix-popover-trigger-width) p-0">
        <Command shouldFilter={false} label="Prompts" defaultValue={value === null ? CUSTOM : String(value)}>
          <div className="flex items-center gap-2 border-b border-line px-3">
            <SearchIcon className="size-4 shrink-0 text-text-3" />
            <Command.Input
              value={search}
              onValueChange={setSearch}
              placeholder="Search prompts"
              className="h-9 w-full bg-transparent text-sm outline-none pointer-coarse:h-11"
            />
          </div>
          <Command.List className="max-h-64 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-6 text-center text-sm text-text-3">
              No such prompt
            </Command.Empty>
            {search.trim() === '' && (
              <Choice
                value={CUSTOM}
                title="Custom"
                hint="a text of its own"
                isChosen={value === null}
                onChoose={() => choose(null)}
              />
            )}
            {find({ prompts, search }).map((prompt) => (
              <Choice
                key={prompt.id}
                value={String(prompt.id)}
                title={prompt.title}
                hint={prompt.category}
                isChosen={prompt.id === value}
                onChoose={() => choose(prompt)}
              />
            ))}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  )
}

function Choice({
  value,
  title,
  hint,
  isChosen,
  onChoose,
}: {
  value: string
  title: string
  hint: string
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onChoose}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-[6px] px-2 py-1 text-sm select-none aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      <span className="min-w-0 flex-1 truncate">{title}</span>
      {isChosen && <CheckIcon className="size-4 shrink-0 text-accent-text" />}
      <span className="max-w-32 shrink-0 truncate text-xs text-text-3">{hint}</span>
    </Command.Item>
  )
}

function find({ prompts, search }: { prompts: readonly Prompt[]; search: string }): Prompt[] {
  const wanted = search.trim().toLowerCase()
  return prompts.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, SHOWN_MAX)
}
