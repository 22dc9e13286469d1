import { errorReason } from '../errors.ts'
import { type ToastOptions, toast } from '../toast.ts'

interface Versioned {
  version: number
}

export function undoSave<Stored extends Versioned>({
  before,
  saved,
  restore,
  onRestored,
}: {
  before: Versioned
  saved: Versioned
  restore: (number: number) => Promise<Stored>
  onRestored: (stored: Stored) => void
}): Pick<ToastOptions, 'detail' | 'action'> {
  if (saved.version <= before.version) return {}
  const onPress = async () => {
    try {
      const stored = await restore(before.version)
      onRestored(stored)
      const description = `Version ${stored.version} has the content of version ${before.version}.`
      toast({ title: `Version ${before.version} restored`, description })
    } catch (error) {
      const title = `Version ${before.version} could not be restored`
      toast({ title, description: errorReason(error), variant: 'destructive' })
    }
  }
  return { detail: `Saved as version ${saved.version}`, action: { label: 'Undo', onPress } }
}
