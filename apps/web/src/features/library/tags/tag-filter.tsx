import { NAME_MAX, type Tag, type TagKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { InlineAddButton, InlineAddInput } from '../../../components/forms/inline-add.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage, isNetworkFailure } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useAuthGate } from '../../accounts/auth-gate.tsx'
import { TagChoice } from './tag-toggles.tsx'
import { tagsQuery } from './tags.queries.ts'
import { useAddTag } from './use-add-tag.ts'

const TITLES: Record<TagKind, string> = {
  prompt: 'Prompt Tags',
  variable: 'Variable Tags',
  chain: 'Chain Tags',
}

export interface TagFilterProps {
  kind: TagKind
  selectedIds: readonly number[]
  onToggle: (id: number) => void
}

export function TagFilter({ kind, selectedIds, onToggle }: TagFilterProps) {
  const [isAdding, setIsAdding] = useState(false)
  const guard = useAuthGate()
  const { data: tags, error } = useQuery(tagsQuery(kind))
  // The line above every page says it where nobody answers, and this is asked again by itself.
  const isRefused = error !== null && !isNetworkFailure(error)
  const { addTag, isPending } = useAddTag(kind, toastExisting)
  const submit = async (name: string) => {
    if (await addTag(name)) setIsAdding(false)
  }
  return (
    <section aria-label={TITLES[kind]}>
      <div className="flex items-center justify-between pr-0.5 pl-2">
        <h2 className="text-xs font-medium tracking-normal text-text-3">{TITLES[kind]}</h2>
        <InlineAddButton label="Add Tag" onOpen={() => guard(() => setIsAdding(true))} />
      </div>
      {isAdding && (
        <InlineAddInput
          label="New tag"
          maxLength={NAME_MAX}
          pending={isPending}
          onSubmit={(name) => void submit(name)}
          onClose={() => setIsAdding(false)}
        />
      )}
      {isRefused && <p className="px-2 py-1 text-xs text-danger wrap-anywhere">{errorMessage(error)}</p>}
      <div className="px-2 py-1.5">
        {!tags && !isRefused && <Skeleton className="h-5 w-40" />}
        {tags && tags.length > 0 && (
          <TagChoice aria-label={TITLES[kind]} tags={tags} selectedIds={selectedIds} onToggle={onToggle} />
        )}
        {tags?.length === 0 && !isAdding && <p className="text-xs text-text-3">None yet</p>}
      </div>
    </section>
  )
}

function toastExisting({ name }: Tag): void {
  toast({ title: 'Tag exists', description: `“${name}” already exists.` })
}
