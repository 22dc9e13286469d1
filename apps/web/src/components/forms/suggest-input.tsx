import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import { isComposing, isEnter } from '../../lib/keyboard/pressed.ts'
import { Input } from '../ui/input.tsx'
import { Popover, PopoverAnchor, PopoverContent } from '../ui/popover.tsx'

const SHOWN_MAX = 60

export interface Suggestion {
  value: string
  hint?: string | undefined
}

export interface SuggestInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'ref'> {
  'aria-label': string
  value: string
  onChange: (value: string) => void
  suggestions: readonly Suggestion[]
}

/** A text field that offers what is known; anything else may be typed too. */
export function SuggestInput({ value, onChange, suggestions, onKeyDown, ...input }: SuggestInputProps) {
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  /** What is looked for; null: nothing is. */
  const [search, setSearch] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const found = search === null ? [] : findSuggestions({ suggestions, search })
  const isOpen = found.length > 0
  const close = () => setSearch(null)
  const offer = (search: string, at = 0) => {
    setSearch(search)
    setActive(Math.max(0, at))
  }
  const offerAll = () => offer('', findIndexOf({ suggestions, value }))
  const choose = (chosen: Suggestion | undefined) => {
    if (chosen) onChange(chosen.value)
    close()
  }
  const press = (event: React.KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    if (event.defaultPrevented || isComposing(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (isOpen) setActive((active + step + found.length) % found.length)
      else offerAll()
    }
    if (isOpen && isEnter(event)) {
      event.preventDefault()
      choose(found[active])
    }
  }
  return (
    <Popover open={isOpen} onOpenChange={(open) => open || close()}>
      <PopoverAnchor asChild>
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          ref={field}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
          value={value}
          onChange={({ target }) => {
            onChange(target.value)
            offer(target.value)
          }}
          onClick={() => value === '' && offerAll()}
          onKeyDown={press}
          onBlur={(event) => {
            close()
            input.onBlur?.(event)
          }}
        />
      </PopoverAnchor>
      <PopoverContent
        id={listId}
        role="listbox"
        aria-label={input['aria-label']}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onInteractOutside={(event) => event.target === field.current && event.preventDefault()}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
        className="max-h-64 w-max max-w-[min(26rem,calc(100vw-24px))] min-w-(--radix-popover-trigger-width) p-1"
      >
        {found.map((suggestion, index) => (
          <Option
            key={suggestion.value}
            id={`${listId}-${index}`}
            suggestion={suggestion}
            isActive={index === active}
            onChoose={() => choose(suggestion)}
          />
        ))}
      </PopoverContent>
    </Popover>
  )
}

interface OptionProps {
  id: string
  suggestion: Suggestion
  isActive: boolean
  onChoose: () => void
}

function Option({ id, suggestion: { value, hint }, isActive, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerUp={onChoose}
      className="flex min-h-8 cursor-default items-center gap-3 rounded-[6px] px-2 py-1 text-sm select-none hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      <span dir="auto" className="min-w-0 flex-1 truncate font-mono text-xs">
        {value}
      </span>
      {hint && (
        <span dir="auto" className="max-w-48 min-w-0 shrink truncate text-xs text-text-3">
          {hint}
        </span>
      )}
    </div>
  )
}

/** Those that hold what is looked for; first those that begin with it. */
function findSuggestions({
  suggestions,
  search,
}: {
  suggestions: readonly Suggestion[]
  search: string
}): Suggestion[] {
  const wanted = search.trim().toLowerCase()
  const rankOf = ({ value }: Suggestion) => (value.toLowerCase().startsWith(wanted) ? 0 : 1)
  return suggestions
    .filter(({ value }) => value.toLowerCase().includes(wanted))
    .toSorted((left, right) => rankOf(left) - rankOf(right))
    .slice(0, SHOWN_MAX)
}

function findIndexOf({ suggestions, value }: { suggestions: readonly Suggestion[]; value: string }): number {
  return suggestions.findIndex((suggestion) => suggestion.value === value)
}
