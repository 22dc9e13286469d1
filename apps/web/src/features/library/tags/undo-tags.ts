import type { Tag } from '@catenary/contracts'
import { errorMessage } from '../../../lib/errors.ts'
import { type ToastOptions, toast } from '../../../lib/toast.ts'

/** How a save that gave other tags is turned back (D54); nothing for one that left them as they were. */
export function undoTags({
  before,
  after,
  restore,
}: {
  before: readonly Tag[]
  after: readonly number[]
  restore: (tagIds: number[]) => Promise<unknown>
}): Pick<ToastOptions, 'action'> {
  const ids = before.map(({ id }) => id)
  if (ids.length === after.length && ids.every((id) => after.includes(id))) return {}
  const onPress = () => {
    restore(ids).then(
      () => toast({ title: 'Tags restored', description: 'The tags are as they were before.' }),
      (error: unknown) =>
        toast({
          title: 'Error',
          description: `Failed to restore tags: ${errorMessage(error)}`,
          variant: 'destructive',
        }),
    )
  }
  return { action: { label: 'Undo tags', onPress } }
}
