import { errorReason } from './errors.ts'
import { toast } from './toast.ts'

export const toastFailure =
  (title: string) =>
  (error: unknown): void =>
    void toast({ title, description: errorReason(error), variant: 'destructive' })
