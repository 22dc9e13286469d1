import { Command } from 'cmdk'
import { CheckIcon, ChevronDownIcon, SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../lib/utils.ts'
import { Button } from '../ui/button.tsx'
import { useFieldControl } from '../ui/field.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'

const SHOWN_MAX = 60

interface SearchPickerChoice {
  title: string
  hint?: string
}

export interface SearchPickerProps {
  label: string
  placeholder: string
  nothingFound: string
  value: string
  find: (search: string) => string[]
  onSearch?: (search: string) => void
  describe: (value: string) => SearchPickerChoice
  onChange: (value: string) => void
}

export function SearchPicker({
  label,
  value,
  find,
  onSearch,
  describe,
  onChange,
  ...texts
}: SearchPickerProps) {
  const control = useFieldControl()
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const choose = (chosen: string) => {
    setIsOpen(false)
    setSearch('')
    if (chosen !== value) onChange(chosen)
  }
  return (
    <Popover open={isOpen} onOpenChange={setIsOpen} modal>
      <PopoverTrigger asChild>
        <Button
          variant="secondary"
          className="w-full min-w-0 shrink justify-between border-line-strong px-2.5 font-normal pointer-coarse:text-lg"
          {...control}
        >
          <span className="truncate">{describe(value).title}</span>
          <ChevronDownIcon className="text-text-3" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={label} className="w-(--radix-popover-trigger-width) p-0">
        <Command shouldFilter={false} label={label} defaultValue={value}>
          <div className="flex items-center gap-2 border-b border-line px-3">
            <SearchIcon className="size-4 shrink-0 text-text-3" />
            <Command.Input
              value={search}
              onValueChange={(typed) => {
                setSearch(typed)
                onSearch?.(typed.trim())
              }}
              placeholder={texts.placeholder}
              className="h-9 w-full bg-transparent text-sm outline-none pointer-coarse:h-11"
            />
          </div>
          <Command.List className="max-h-64 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-6 text-center text-sm text-text-3">
              {texts.nothingFound}
            </Command.Empty>
            {find(search.trim())
              .slice(0, SHOWN_MAX)
              .map((found) => (
                <Choice
                  key={found}
                  value={found}
                  isChosen={found === value}
                  onChoose={() => choose(found)}
                  {...describe(found)}
                />
              ))}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  )
}

interface ChoiceProps extends SearchPickerChoice {
  value: string
  isChosen: boolean
  onChoose: () => void
}

function Choice({ value, title, hint, isChosen, onChoose }: ChoiceProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onChoose}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-[6px] px-2 py-1 text-sm select-none aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {title}
      </span>
      {hint && <span className="max-w-32 shrink-0 truncate text-xs text-text-3">{hint}</span>}
      <CheckIcon className={cn('size-4 shrink-0 text-accent-text', !isChosen && 'invisible')} />
    </Command.Item>
  )
}
