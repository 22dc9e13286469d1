import { ApiError, errorMessage, isNetworkFailure } from '../../lib/errors.ts'
import { toastFailure } from '../../lib/toast.ts'

export function bannerText(error: Error | null): string | null {
  if (!error) return null
  const reason = error instanceof ApiError ? error.text : isNetworkFailure(error) ? errorMessage(error) : ''
  return reason || 'An unknown error occurred'
}

export const toastRefusal = (title: string) =>
  toastFailure(title, (error) => (error instanceof ApiError && error.text) || title)
