import { ApiError, errorMessage, isNetworkFailure } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'

export function bannerText(error: Error | null): string | null {
  if (!error) return null
  const reason = error instanceof ApiError ? error.text : isNetworkFailure(error) ? errorMessage(error) : ''
  return reason || 'An unknown error occurred'
}

export function toastFailure({ title, error }: { title: string; error: Error }): void {
  const description = error instanceof ApiError ? error.text || title : title
  toast({ title, description, variant: 'destructive' })
}
