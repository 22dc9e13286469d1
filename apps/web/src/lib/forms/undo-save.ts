import { errorReason } from '../errors.ts'
import { type ToastOptions, toast } from '../toast.ts'

interface Versioned {
  version: number
}

/** What the toast of a save adds where it made a version: which, and how the one before comes back (D54). */
export function undoSave<Stored extends Versioned>({
  before,
  saved,
  restore,
  onRestored,
}: {
  before: Versioned
  saved: Versioned
  /** Makes that version the newest again. */
  restore: (number: number) => Promise<Stored>
  onRestored: (stored: Stored) => void
}): Pick<ToastOptions, 'detail' | 'action'> {
  if (saved.version <= before.version) return {}
  const onPress = async () => {
    try {
      const stored = await restore(before.version)
      onRestored(stored)
      const description = `Version ${stored.version} is as version ${before.version} was.`
      toast({ title: `Version ${before.version} restored`, description })
    } catch (error) {
      const title = `Version ${before.version} could not be restored`
      toast({ title, description: errorReason(error), variant: 'destructive' })
    }
  }
  return { detail: `Saved as version ${saved.version}`, action: { label: 'Undo', onPress } }
}
