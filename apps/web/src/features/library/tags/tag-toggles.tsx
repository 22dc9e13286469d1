import { searchText, type Tag } from '@catenary/contracts'
import { ToggleGroup } from 'radix-ui'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Input } from '../../../components/ui/input.tsx'
import { isEscape } from '../../../lib/keyboard/pressed.ts'
import { cn } from '../../../lib/utils.ts'
import { TagToggle } from './tag-chip.tsx'

export interface TagTogglesProps {
  'aria-label': string
  tags: readonly Tag[]
  selectedIds: readonly number[]
  onToggle: (id: number) => void
  className?: string
  chipClassName?: string | undefined
}

export function TagToggles({
  tags,
  selectedIds,
  onToggle,
  chipClassName,
  className,
  ...group
}: TagTogglesProps) {
  const list = useRef<HTMLDivElement>(null)
  const toggledAt = useRef<number | null>(null)
  const known = tags.filter(({ id }) => selectedIds.includes(id)).map(({ id }) => String(id))

  // A tag may leave the list as it is switched off: the next one has the focus then.
  useLayoutEffect(() => {
    const { current: at } = toggledAt
    if (at === null || document.activeElement !== document.body) return
    toggledAt.current = null
    const chips = list.current?.querySelectorAll<HTMLElement>('[data-tag-id]') ?? []
    chips[Math.min(at, tags.length - 1)]?.focus()
  }, [tags])

  return (
    <ToggleGroup.Root
      ref={list}
      type="multiple"
      className={cn('flex min-w-0 flex-wrap gap-[5px]', className)}
      value={known}
      onValueChange={(next) => {
        const at = tags.findIndex(({ id }) => known.includes(String(id)) !== next.includes(String(id)))
        toggledAt.current = list.current?.contains(document.activeElement) ? at : null
        if (tags[at]) onToggle(tags[at].id)
      }}
      {...group}
    >
      {tags.map((tag) => (
        <TagToggle key={tag.id} tag={tag} className={chipClassName} />
      ))}
    </ToggleGroup.Root>
  )
}

const SEARCHED_FROM = 30

export function TagChoice({ className, ...props }: Omit<TagTogglesProps, 'chipClassName'>) {
  const { tags } = props
  const [search, setSearch] = useState('')
  const statusId = useId()
  if (tags.length < SEARCHED_FROM) return <TagToggles className={className} {...props} />
  const found = tags.filter(({ name }) => searchText(name).includes(searchText(search)))
  return (
    <div className="grid gap-1.5">
      <Input
        type="search"
        autoComplete="off"
        aria-label={`Search ${props['aria-label']}`}
        aria-describedby={statusId}
        placeholder={`Search ${tags.length} tags`}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (!isEscape(event) || search === '') return
          event.stopPropagation()
          setSearch('')
        }}
        className="h-7"
      />
      <TagToggles {...props} tags={found} className={className} />
      <p id={statusId} role="status" className={cn('text-xs text-text-3', found.length > 0 && 'sr-only')}>
        {search.trim() === '' ? '' : found.length === 0 ? 'No matching tags' : `${found.length} found`}
      </p>
    </div>
  )
}
