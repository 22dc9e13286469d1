import type { Variable } from '@catenary/contracts'
import { errorReason } from '../../lib/errors.ts'
import { type ToastOptions, toast } from '../../lib/toast.ts'
import { formOf, requestOf } from './variable-fields.tsx'
import type { UpdateVariable } from './variables.queries.ts'

/** How the toast of a save brings back what the variable was, where all of that is known here (D54). */
export function undoUpdate({
  before,
  saved,
  restore,
}: {
  /** null: the form began with a draft of an earlier one. */
  before: Variable | null
  saved: Variable
  restore: (body: UpdateVariable['body']) => Promise<unknown>
}): Pick<ToastOptions, 'action'> {
  // Values of headers, and a file that was replaced, are not.
  if (before?.type !== 'text' || saved.type !== 'text') return {}
  const isRenamed = before.name.toLowerCase() !== saved.name.toLowerCase()
  // Which references were rewritten is not known.
  if (isRenamed) return {}
  const onPress = async () => {
    try {
      await restore({ ...requestOf(formOf({ variable: before })), revision: saved.revision })
      toast({ title: 'Variable restored', description: `$<${before.name}> is as it was.` })
    } catch (error) {
      const title = 'The variable could not be restored'
      toast({ title, description: errorReason(error), variant: 'destructive' })
    }
  }
  return { action: { label: 'Undo', onPress } }
}
