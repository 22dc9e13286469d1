import type { Chain } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { PHONE, useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import { TagChip } from '../library/tags/tag-chip.tsx'
import { ShareState } from './share-state.tsx'

export function ChainIntroduction({
  chain,
  onAddStep,
  addKeys,
}: {
  chain: Chain
  onAddStep: (() => void) | undefined
  addKeys: string | undefined
}) {
  const { user } = useSession()
  const isPhone = useMediaQuery(PHONE)
  const { description, tags, owner } = chain
  const isOwn = user?.username === owner
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 md:pl-[76px]">
      <div className="grid min-w-0 flex-1 basis-56 gap-2 md:pt-[5px]">
        <p
          className={cn(
            'text-base whitespace-pre-line wrap-anywhere',
            description ? 'text-text-2' : 'text-text-3',
          )}
        >
          {description || 'No description provided'}
        </p>
        {(isPhone || tags.length > 0 || !isOwn) && (
          <div className="flex flex-wrap items-center gap-[5px]">
            {isPhone && <ShareState chain={chain} />}
            {tags.map((tag) => (
              <TagChip key={tag.id} tag={tag} />
            ))}
            {!isOwn && <span className="text-xs text-text-3 not-first:ml-1">by {owner}</span>}
          </div>
        )}
      </div>
      {onAddStep && (
        <div className="flex items-center gap-3 max-md:w-full max-md:justify-between">
          <p className="text-sm text-text-3">Drag steps to reorder</p>
          <Button variant="secondary" onClick={onAddStep} aria-keyshortcuts={addKeys}>
            <PlusIcon />
            Add Step
            <ShortcutKeys id="create" className="max-md:hidden" />
          </Button>
        </div>
      )}
    </div>
  )
}
