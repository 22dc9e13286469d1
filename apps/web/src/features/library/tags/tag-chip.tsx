import type { Tag } from '@catenary/contracts'
import { type TagColor, tagColor } from '@catenary/domain'
import { XIcon } from 'lucide-react'
import { ToggleGroup } from 'radix-ui'
import { cn } from '../../../lib/utils.ts'

const HUES: Record<TagColor, string> = {
  blue: 'tag-hue-250',
  green: 'tag-hue-155',
  purple: 'tag-hue-305',
  yellow: 'tag-hue-85',
  red: 'tag-hue-25',
  indigo: 'tag-hue-275',
  pink: 'tag-hue-350',
}

const chip =
  'inline-flex h-5 max-w-full min-w-0 items-center gap-1 rounded-tag px-[7px] text-xs leading-none forced-colors:border'

export interface TagChipProps {
  tag: Tag
  onRemove?: () => void
  className?: string
}

export function TagChip({ tag, onRemove, className }: TagChipProps) {
  const hue = HUES[tagColor(tag.id)]
  return (
    <span className={cn(chip, hue, onRemove && 'pr-0.5', className)}>
      <span dir="auto" className="truncate leading-5">
        {tag.name}
      </span>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove ${tag.name}`}
          onClick={onRemove}
          className="relative grid size-4 place-items-center rounded-[4px] after:absolute after:-inset-1 hover:bg-current/15 pointer-coarse:after:-inset-3.5"
        >
          <XIcon className="size-3" />
        </button>
      )}
    </span>
  )
}

export function TagToggle({ tag, className }: Pick<TagChipProps, 'tag' | 'className'>) {
  return (
    <ToggleGroup.Item
      value={String(tag.id)}
      data-tag-id={tag.id}
      className={cn(
        chip,
        HUES[tagColor(tag.id)],
        'relative transition-shadow after:absolute after:-inset-x-0.5 after:-inset-y-[3px] hover:inset-ring hover:inset-ring-current/40',
        'pointer-coarse:h-8 pointer-coarse:px-2.5 pointer-coarse:after:-inset-y-1.5',
        'forced-colors:data-[state=on]:border-2 forced-colors:data-[state=on]:border-[Highlight]',
        'data-[state=on]:inset-ring data-[state=on]:inset-ring-current data-[state=on]:hover:inset-ring-current',
        className,
      )}
    >
      <span dir="auto" className="truncate leading-5">
        {tag.name}
      </span>
    </ToggleGroup.Item>
  )
}
