import { cutText } from '@catenary/domain'
import { memo } from 'react'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { cn } from '../../lib/utils.ts'
import { TagLine } from '../library/tags/tag-line.tsx'
import { SelectedMark } from '../records/selection/selected-mark.tsx'
import { Visibility } from '../records/shares/visibility.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { ActionMenu, CopyAction, ExecuteButton } from './prompt-buttons.tsx'
import type { PromptItemProps } from './prompt-card.tsx'
import { PromptTitle } from './prompt-title.tsx'

const TAG_LINE_WIDTH = 190
const TEXT_LENGTH = 240

export const PromptRow = memo(function PromptRow(props: PromptItemProps) {
  if (props.compact) return <CompactRow {...props} />
  const { prompt, actions, isSelected = false } = props
  const { tags, category, isPublic, isShared, owner, updatedAt } = prompt
  return (
    <article
      aria-label={prompt.title}
      className={cn(
        'group/prompt relative flex min-w-0 items-center gap-3 border-b border-line px-3.5 focus-within:bg-hover hover:bg-hover',
        isSelected && 'bg-hover',
      )}
    >
      {isSelected && <SelectedMark className="rounded-br-control" />}
      <ActiveSwitch prompt={prompt} />
      <div className="min-w-0 flex-1">
        <PromptTitle prompt={prompt} actions={actions} isSelected={isSelected} />
        <RowText text={prompt.content} />
      </div>
      {tags.length > 0 && (
        <TagLine tags={tags} width={TAG_LINE_WIDTH} className="max-w-48 shrink-0 max-xl:hidden" />
      )}
      <p title={category} className="w-18 truncate text-xs text-text-3">
        {category}
      </p>
      <div className="w-[84px] text-xs text-text-3">
        <Visibility isPublic={isPublic} isShared={isShared} />
      </div>
      <p dir="auto" title={owner} className="w-22 truncate text-xs text-text-3">
        {owner}
      </p>
      <p className="w-34 text-xs whitespace-nowrap text-text-3">
        Updated <RelativeTime time={updatedAt} />
      </p>
      <div className="flex w-50 items-center justify-end gap-1">
        <CopyAction prompt={prompt} />
        <ActionMenu prompt={prompt} actions={actions} compact={false} />
        <div className="flex w-34 shrink-0 justify-end">
          <ExecuteButton prompt={prompt} actions={actions} compact={false} />
        </div>
      </div>
    </article>
  )
})

function CompactRow({ prompt, actions, isSelected = false }: PromptItemProps) {
  const { category, isPublic, isShared, owner, updatedAt } = prompt
  return (
    <article
      aria-label={prompt.title}
      className={cn(
        'group/prompt relative flex min-w-0 items-center gap-2 border-b border-line pl-3.5',
        isSelected && 'bg-hover',
      )}
    >
      {isSelected && <SelectedMark className="rounded-br-control" />}
      <div className="min-w-0 flex-1">
        <PromptTitle prompt={prompt} actions={actions} isSelected={isSelected} />
        <RowText text={prompt.content} />
        <p className="flex min-w-0 items-center gap-1 text-xs text-text-3">
          <span className="min-w-0 shrink-1000 truncate">{category}</span>
          <span aria-hidden="true">·</span>
          <Visibility isPublic={isPublic} isShared={isShared} iconOnly />
          <span aria-hidden="true">·</span>
          <span dir="auto" className="max-w-1/2 min-w-0 truncate">
            {owner}
          </span>
          <span aria-hidden="true">·</span>
          <span className="shrink-0">
            <span className="sr-only">Updated </span>
            <RelativeTime time={updatedAt} />
          </span>
        </p>
      </div>
      <ActiveSwitch prompt={prompt} />
      <ActionMenu prompt={prompt} actions={actions} compact withExecute />
    </article>
  )
}

function RowText({ text }: { text: string }) {
  return (
    <p dir="auto" className="prompt-text truncate text-text-3">
      {cutText(text, TEXT_LENGTH)}
    </p>
  )
}
