import type { Tag, TagKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { toast } from '../../components/ui/toast.tsx'
import { tagsQuery, useCreateTag } from './tags.queries.ts'

/** Adds a tag by name; one of that name is reused. Resolves to undefined for a blank name or after a failure. */
export function useAddTag(kind: TagKind) {
  const { data: tags = [] } = useQuery(tagsQuery(kind))
  const { mutateAsync, isPending } = useCreateTag(kind)

  const addTag = async (text: string): Promise<Tag | undefined> => {
    const name = text.trim()
    if (name === '') return undefined
    const existing = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase())
    if (existing) return existing
    try {
      const tag = await mutateAsync(name)
      toast({ title: 'Tag added', description: 'Tag has been added successfully' })
      return tag
    } catch {
      // The query client has told the person.
      return undefined
    }
  }
  return { tags, addTag, isPending }
}
