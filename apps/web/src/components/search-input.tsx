import { SearchIcon } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { cn } from '../lib/utils.ts'
import { Input } from './ui/input.tsx'
import { Kbd } from './ui/kbd.tsx'

/** Rest after the last key before the search runs. */
export const SEARCH_DEBOUNCE_MS = 300

export interface SearchInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  'aria-label': string
  value: string
  /** Called once typing rests. */
  onSearch: (value: string) => void
}

/** The page's search: `/` goes to it, Escape clears it. */
export function SearchInput({ value, onSearch, className, ...props }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [draft, setDraft] = useState({ text: value, from: value })
  // The address changed under the field: a link, or the browser's way back.
  if (draft.from !== value) setDraft({ text: value, from: value })

  const search = (text: string, wait: number) => {
    setDraft((current) => ({ ...current, text }))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setDraft({ text, from: text })
      onSearch(text)
    }, wait)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isEditing(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focusOnSlash)
    return () => document.removeEventListener('keydown', focusOnSlash)
  }, [])

  return (
    <search className={cn('relative w-65 max-lg:w-48', className)}>
      <SearchIcon className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
      <Input
        ref={input}
        type="search"
        autoComplete="off"
        value={draft.text}
        onChange={(event) => search(event.target.value, SEARCH_DEBOUNCE_MS)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (draft.text === '') event.currentTarget.blur()
          else search('', 0)
        }}
        className="peer pr-9 pl-8.5 [&::-webkit-search-cancel-button]:hidden"
        {...props}
      />
      <Kbd className="absolute top-1/2 right-2 -translate-y-1/2 text-text-3 peer-focus:hidden">/</Kbd>
    </search>
  )
}

function isEditing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="dialog"], [role="alertdialog"]') !== null)
  )
}
