import { ApiError, errorMessage, isNetworkFailure } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'

/** The banner's sentence about a failed login or registration. */
export function bannerText(error: Error | null): string | null {
  if (!error) return null
  const reason = error instanceof ApiError ? error.text : isNetworkFailure(error) ? errorMessage(error) : ''
  return reason || 'An unknown error occurred'
}

/** The toast about it: the server's words, or the title again. */
export function toastFailure({ title, error }: { title: string; error: Error }): void {
  const description = error instanceof ApiError ? error.text || title : title
  toast({ title, description, variant: 'destructive' })
}
