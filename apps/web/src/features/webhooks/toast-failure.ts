import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'

export const toastFailure =
  (title: string) =>
  (error: unknown): void =>
    void toast({ title, description: errorReason(error), variant: 'destructive' })
