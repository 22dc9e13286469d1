import { isSameName, type Tag, type TagKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { tagsQuery, useCreateTag } from './tags.queries.ts'

/** Adds a tag by name, or reuses the existing one and calls `onExisting`. Resolves to undefined for a blank name or after a failure. */
export function useAddTag(kind: TagKind, onExisting?: (tag: Tag) => void) {
  const { data: tags = [] } = useQuery(tagsQuery(kind))
  const { mutateAsync, isPending } = useCreateTag(kind)

  const addTag = async (text: string): Promise<Tag | undefined> => {
    const name = text.trim()
    if (name === '') return undefined
    const existing = tags.find((tag) => isSameName(tag.name, name))
    if (existing) {
      onExisting?.(existing)
      return existing
    }
    try {
      const tag = await mutateAsync(name)
      toast(
        kind === 'chain'
          ? { title: 'Tag created', description: `“${tag.name}” can now be used on any chain.` }
          : { title: 'Tag added', description: 'Tag has been added successfully' },
      )
      return tag
    } catch (error) {
      // The query client reports failures of the other kinds.
      if (kind === 'chain') {
        toast({ title: 'Failed to create tag', description: errorMessage(error), variant: 'destructive' })
      }
      return undefined
    }
  }
  return { tags, addTag, isPending }
}
