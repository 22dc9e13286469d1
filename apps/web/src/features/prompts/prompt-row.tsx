import { memo } from 'react'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TagLine } from '../../components/tag-line.tsx'
import { Visibility } from '../../components/visibility.tsx'
import { ActiveSwitch } from './active-switch.tsx'
import { ActionMenu, ExecuteButton, QuietActions } from './prompt-buttons.tsx'
import type { PromptItemProps } from './prompt-card.tsx'
import { PromptTitle } from './prompt-title.tsx'

/** Room for the chips of a row. */
const TAG_LINE_WIDTH = 190

/** A prompt in the list: one line on a desk, two on a phone. */
export const PromptRow = memo(function PromptRow({ prompt, actions, compact }: PromptItemProps) {
  return compact ? (
    <CompactRow prompt={prompt} actions={actions} compact />
  ) : (
    <article
      aria-label={prompt.title}
      className="group/prompt relative flex min-w-0 items-center gap-3 border-b border-line px-3.5 focus-within:bg-hover hover:bg-hover"
    >
      <ActiveSwitch prompt={prompt} />
      <div className="flex min-w-0 flex-1 items-baseline gap-2.5">
        <PromptTitle prompt={prompt} actions={actions} className="max-w-[70%] shrink-0" />
        <p aria-hidden="true" className="prompt-text min-w-0 truncate text-text-3 max-lg:hidden">
          {prompt.content.slice(0, 160)}
        </p>
      </div>
      <TagLine tags={prompt.tags} width={TAG_LINE_WIDTH} className="w-48 justify-end max-xl:hidden" />
      <p className="w-20 truncate text-xs text-text-3">{prompt.category}</p>
      <div className="w-[68px] text-xs text-text-3">
        <Visibility isPublic={prompt.isPublic} />
      </div>
      <p className="w-38 truncate text-xs text-text-3 group-focus-within/prompt:opacity-0 group-hover/prompt:opacity-0">
        Updated <RelativeTime time={prompt.updatedAt} />
      </p>
      <div className="relative flex w-34 items-center justify-end">
        <div className="absolute right-full">
          <QuietActions prompt={prompt} actions={actions} />
        </div>
        <ExecuteButton prompt={prompt} actions={actions} compact={false} />
      </div>
    </article>
  )
})

function CompactRow({ prompt, actions }: PromptItemProps) {
  return (
    <article
      aria-label={prompt.title}
      className="group/prompt relative flex min-w-0 items-center gap-2 border-b border-line pl-3.5"
    >
      <div className="min-w-0 flex-1">
        <PromptTitle prompt={prompt} actions={actions} />
        <p className="flex min-w-0 items-center gap-1 text-xs text-text-3">
          <span className="truncate">{prompt.category}</span>
          <span aria-hidden="true">·</span>
          <Visibility isPublic={prompt.isPublic} />
          <span aria-hidden="true">·</span>
          <span className="truncate">
            Updated <RelativeTime time={prompt.updatedAt} />
          </span>
        </p>
      </div>
      <ActiveSwitch prompt={prompt} />
      <ActionMenu prompt={prompt} actions={actions} withExecute />
    </article>
  )
}
