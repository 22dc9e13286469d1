import type { BulkChainsRequest, BulkReply, Tag } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { TagIcon, Trash2Icon, XIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import { useShortcut } from '../../../lib/keyboard/use-shortcut.ts'
import { countText } from '../../../lib/text/count-text.ts'
import { toast } from '../../../lib/toast.ts'
import { TagChoice } from '../../library/tags/tag-toggles.tsx'
import { tagsQuery } from '../../library/tags/tags.queries.ts'

interface Selected {
  id: number
  tags: readonly Tag[]
  canDelete: boolean
}

/** What can be done with several of either kind. */
type CommonRequest = BulkChainsRequest

export interface BulkChange<Request = CommonRequest> {
  requests: Request[]
  /** Requests that turn the change back for those that were changed; absent: it is for good. */
  undo?: (done: readonly number[]) => Request[]
  /** What a toast says of so many, such as `3 prompts`. */
  title: string
  describe: (count: string) => string
}

export interface SelectionBarProps<Request> {
  noun: 'prompt' | 'chain'
  selected: readonly Selected[]
  write: {
    /** Rejects where nothing could be sent, which was said then. */
    mutateAsync: (requests: readonly (Request | CommonRequest)[]) => Promise<BulkReply>
    isPending: boolean
  }
  renderMore?: (apply: (change: BulkChange<Request | CommonRequest>) => void) => ReactNode
  onClear: () => void
}

export function SelectionBar<Request = CommonRequest>({
  noun,
  selected,
  write: { mutateAsync: send, isPending },
  renderMore,
  onClear,
}: SelectionBarProps<Request>) {
  const { data: tags = [] } = useQuery(tagsQuery(noun))
  const [isAsking, setIsAsking] = useState(false)
  const ids = selected.map(({ id }) => id)
  const deletable = selected.filter(({ canDelete }) => canDelete).map(({ id }) => id)
  useShortcut({ id: 'close', onPress: onClear })
  const apply = (change: BulkChange<Request | CommonRequest>) => applyChange({ noun, send, change })
  const toggleTag = (tagId: number) => {
    const tag = tags.find(({ id }) => id === tagId)
    if (tag) void apply(changeOfTag({ tag, selected }))
  }
  const remove = async () => {
    await apply({
      requests: [{ action: 'delete', ids: deletable }],
      title: `${capitalized(noun)}s deleted`,
      describe: (count) => `${count} deleted.`,
    })
    setIsAsking(false)
    onClear()
  }
  return (
    <div
      role="toolbar"
      aria-label={`Selected ${noun}s`}
      className="flex h-12 shrink-0 items-center gap-1.5 border-t border-line bg-accent-soft px-6 max-md:gap-0.5 max-md:px-2"
    >
      <p className="mr-auto truncate text-sm font-medium text-accent-text">{selected.length} selected</p>
      <Popover>
        <PopoverTrigger asChild>
          <BarButton label="Tags" icon={<TagIcon />} disabled={isPending} />
        </PopoverTrigger>
        <PopoverContent aria-label="Tags of the selection" align="end" side="top">
          {tags.length === 0 ? (
            <p className="text-sm text-text-3">No tags yet</p>
          ) : (
            <TagChoice
              aria-label="Tags"
              tags={tags}
              selectedIds={sharedTags(selected)}
              onToggle={toggleTag}
              className="-m-1 max-h-72 overflow-y-auto p-1"
            />
          )}
        </PopoverContent>
      </Popover>
      {renderMore?.((change) => void apply(change))}
      <BarButton
        label="Delete"
        icon={<Trash2Icon />}
        disabled={isPending || deletable.length === 0}
        onClick={() => setIsAsking(true)}
      />
      <Button variant="ghost" size="icon" aria-label="Clear selection" onClick={onClear}>
        <XIcon />
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${countText(deletable.length, noun)}?`}
        description={
          <>
            <span className="block">
              Their versions and their execution history will be deleted too. This cannot be undone.
            </span>
            {deletable.length < ids.length && (
              <span className="mt-2 block">
                {`${countText(ids.length - deletable.length, noun)} will stay: you can’t delete them.`}
              </span>
            )}
          </>
        }
        pending={isPending}
        onConfirm={() => void remove()}
      />
    </div>
  )
}

/** A button of the bar: on a phone its icon alone. */
export function BarButton({
  label,
  icon,
  ...button
}: { label: string; icon: ReactNode } & Omit<Parameters<typeof Button>[0], 'children'>) {
  return (
    <Button variant="ghost" aria-label={label} {...button} className="max-md:w-11 max-md:px-0">
      {icon}
      <span className="max-md:hidden">{label}</span>
    </Button>
  )
}

const capitalized = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1)

function sharedTags([first, ...others]: readonly Selected[]): number[] {
  const ids = first?.tags.map(({ id }) => id) ?? []
  return ids.filter((id) => others.every(({ tags }) => tags.some((tag) => tag.id === id)))
}

/** Removes a tag that all of them have; otherwise adds it to those that lack it. */
function changeOfTag({
  tag: { id: tagId, name },
  selected,
}: {
  tag: Tag
  selected: readonly Selected[]
}): BulkChange {
  const without = selected.filter(({ tags }) => !tags.some(({ id }) => id === tagId))
  const isOn = without.length > 0
  const changed = (isOn ? without : selected).map(({ id }) => id)
  const request = (action: 'tag' | 'untag', ids: readonly number[]) => ({ action, tagId, ids: [...ids] })
  return {
    requests: [request(isOn ? 'tag' : 'untag', changed)],
    undo: (done) => [request(isOn ? 'untag' : 'tag', done)],
    title: isOn ? 'Tag added' : 'Tag removed',
    describe: (count) => (isOn ? `${count} tagged “${name}”.` : `“${name}” removed from ${count}.`),
  }
}

async function applyChange<Request>({
  noun,
  send,
  change: { requests, undo, title, describe },
}: {
  noun: string
  send: (requests: readonly Request[]) => Promise<BulkReply>
  change: BulkChange<Request>
}): Promise<void> {
  const refusalOf = ([first, ...others]: BulkReply['failed']) =>
    first && `${countText(others.length + 1, noun)} not changed: ${first.error}.`
  const reply = await send(requests).catch(() => undefined)
  if (reply === undefined) return
  const { done, failed } = reply
  const refusal = refusalOf(failed)
  if (done.length === 0) {
    toast({ title: 'Error', description: refusal ?? 'Nothing was changed.', variant: 'destructive' })
    return
  }
  const onUndo = () =>
    void send(undo?.(done) ?? []).then(
      ({ failed }) =>
        toast({ title: 'Undone', description: refusalOf(failed) ?? 'Everything is as it was before.' }),
      () => undefined,
    )
  toast({
    title,
    description: describe(countText(done.length, noun)),
    ...(refusal && { detail: refusal }),
    ...(undo && { action: { label: 'Undo', onPress: onUndo } }),
  })
}
