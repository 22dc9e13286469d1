import { SearchIcon, XIcon } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing, isEscape } from '../lib/keyboard/pressed.ts'
import { matchesShortcut, useAriaKeys } from '../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../lib/keyboard/use-shortcut.ts'
import { cn } from '../lib/utils.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'
import { Button } from './ui/button.tsx'
import { Input } from './ui/input.tsx'

const SEARCH_DEBOUNCE_MS = 300

export interface SearchInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  'aria-label': string
  value: string
  onSearch: (value: string) => void
  /** Whether the page's list shows what was searched for: then ↓ reaches it, and Enter opens an only hit. */
  isFound?: boolean
}

export function SearchInput({ value, onSearch, isFound, className, ...props }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isOpen, setIsOpen] = useState(false)
  const keys = useAriaKeys('search')
  const [draft, setDraft] = useState({ text: value, from: value })
  // The address changed under the field: by a link, or by the browser's Back.
  if (draft.from !== value) setDraft({ text: value, from: value })

  const [act, setAct] = useState<SearchAct | null>(null)
  useActOnFound({ act, isFound: isFound === true && value.trim() === draft.text.trim(), onDone: setAct })

  const search = (text: string, wait: number) => {
    setDraft((current) => ({ ...current, text }))
    setAct(null)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(text), wait)
  }
  const close = () => {
    search('', 0)
    setIsOpen(false)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useShortcut({
    id: 'search',
    onPress: () => {
      setIsOpen(true)
      input.current?.focus()
    },
  })
  useEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])

  return (
    <search className={cn('w-65 max-lg:w-48 max-md:w-auto', className)}>
      <Button
        variant="ghost"
        size="icon"
        aria-label={props['aria-label']}
        className="size-11 md:hidden"
        onClick={() => setIsOpen(true)}
      >
        <SearchIcon className="size-5" />
      </Button>
      <div
        className={cn(
          'relative max-md:absolute max-md:inset-0 max-md:z-10 max-md:items-center max-md:gap-1 max-md:bg-surface max-md:px-2',
          isOpen ? 'max-md:flex' : 'max-md:hidden',
        )}
      >
        <SearchIcon className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3 max-md:left-4.5" />
        <Input
          ref={input}
          type="search"
          autoComplete="off"
          aria-keyshortcuts={keys}
          value={draft.text}
          onChange={(event) => search(event.target.value, SEARCH_DEBOUNCE_MS)}
          onKeyDown={(event) => {
            const next = isFound === undefined || isComposing(event) ? null : actOf(event)
            if (next) {
              event.preventDefault()
              search(draft.text, 0)
              setAct(next)
            }
            if (!isEscape(event)) return
            if (draft.text === '') event.currentTarget.blur()
            close()
          }}
          className="peer pr-9 pl-8.5 max-md:h-11 [&::-webkit-search-cancel-button]:hidden"
          {...props}
        />
        <ShortcutKeys
          id="search"
          className="absolute top-1/2 right-2 -translate-y-1/2 text-text-3 peer-focus:hidden max-md:hidden"
        />
        <Button
          variant="ghost"
          size="icon"
          aria-label="Close search"
          className="size-11 md:hidden"
          onClick={close}
        >
          <XIcon />
        </Button>
      </div>
    </search>
  )
}

type SearchAct = 'reach' | 'open' | 'run'

function actOf(event: KeyboardEvent): SearchAct | null {
  if (event.key === 'ArrowDown') return 'reach'
  if (matchesShortcut({ event: event.nativeEvent, id: 'run' })) return 'run'
  return matchesShortcut({ event: event.nativeEvent, id: 'open' }) ? 'open' : null
}

const FRAMES_MAX = 30

/** What the keys ask for waits until the list has been searched and drawn. */
function useActOnFound({
  act,
  isFound,
  onDone,
}: {
  act: SearchAct | null
  isFound: boolean
  onDone: (act: null) => void
}): void {
  useEffect(() => {
    if (act === null || !isFound) return
    let framesLeft = FRAMES_MAX
    let frame = requestAnimationFrame(function look() {
      const first = itemAt(0)
      framesLeft -= 1
      if (!first && framesLeft > 0) frame = requestAnimationFrame(look)
      else {
        if (first) actOn({ act, first })
        onDone(null)
      }
    })
    return () => cancelAnimationFrame(frame)
  }, [act, isFound, onDone])
}

function actOn({ act, first }: { act: SearchAct; first: Element }): void {
  const place = act === 'run' ? '[data-grid-run]' : '[data-grid-focus]'
  // What can't be opened is passed over.
  if (act === 'reach') first.parentElement?.querySelector<HTMLElement>(place)?.focus()
  else if (!itemAt(1)) first.querySelector<HTMLElement>(place)?.click()
}

const itemAt = (index: number) => document.querySelector(`main [data-grid-index="${index}"]`)
