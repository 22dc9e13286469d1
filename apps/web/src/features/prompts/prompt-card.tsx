import type { ListedPrompt } from '@catenary/contracts'
import { memo } from 'react'
import { TemplateText } from '../../components/template-text.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { cn } from '../../lib/utils.ts'
import { TagLine } from '../library/tags/tag-line.tsx'
import { SelectedMark } from '../records/selection/selected-mark.tsx'
import { Visibility } from '../records/shares/visibility.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import type { PromptActions } from './prompt-actions.ts'
import { ActionMenu, CopyAction, ExecuteButton } from './prompt-buttons.tsx'
import { PromptTitle } from './prompt-title.tsx'

export interface PromptItemProps {
  prompt: ListedPrompt
  actions: PromptActions
  compact: boolean
  isSelected?: boolean
}

const TAG_LINE_WIDTH = 270

export const PromptCard = memo(function PromptCard({
  prompt,
  actions,
  compact,
  isSelected = false,
}: PromptItemProps) {
  const { category, isPublic, isShared, owner, updatedAt } = prompt
  return (
    <article
      aria-label={prompt.title}
      className={cn(
        'group/prompt relative flex min-w-0 flex-col rounded-card border bg-surface px-(--card-x) pt-(--card-y) pb-[calc(var(--card-y)-2px)] transition-colors',
        isSelected
          ? 'border-accent ring-1 ring-accent'
          : 'border-line focus-within:border-accent/60 hover:border-accent/60',
      )}
    >
      {isSelected && <SelectedMark className="rounded-tl-card rounded-br-control" />}
      <div className="flex h-6 items-center justify-between gap-3">
        <PromptTitle prompt={prompt} actions={actions} isSelected={isSelected} />
        <ActiveSwitch prompt={prompt} />
      </div>
      <p className="mt-1 flex min-w-0 items-center gap-1 text-xs text-text-3">
        <span className="min-w-0 shrink-1000 truncate">{category}</span>
        <span aria-hidden="true">·</span>
        <Visibility isPublic={isPublic} isShared={isShared} />
        <span aria-hidden="true">·</span>
        <span dir="auto" title={owner} className="max-w-3/5 min-w-0 truncate">
          {owner}
        </span>
      </p>
      <TemplateText
        text={prompt.content}
        lines={3}
        className="mt-(--card-gap) leading-(--card-leading) whitespace-normal"
      />
      <TagLine tags={prompt.tags} width={TAG_LINE_WIDTH} className="mt-(--card-gap)" />
      <div className="@container mt-auto flex items-center gap-0.5">
        <p className="mr-auto text-xs leading-tight whitespace-nowrap text-text-3">
          <span className="@max-[345px]:block">Updated </span>
          <RelativeTime time={updatedAt} />
        </p>
        {!compact && <CopyAction prompt={prompt} className="@max-[274px]:hidden" />}
        <ActionMenu prompt={prompt} actions={actions} compact={compact} />
        <ExecuteButton prompt={prompt} actions={actions} compact={compact} />
      </div>
    </article>
  )
})
