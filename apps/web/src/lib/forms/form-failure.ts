import type { ErrorDetail } from '@catenary/contracts'
import { errorDetail } from '@catenary/contracts'
import * as z from 'zod'
import { ApiError, errorMessage, isNetworkFailure } from '../errors.ts'
import { toast } from '../toast.ts'

/** Shows why a form could not be saved: a refusal in a toast, an unexpected error in an alert. */
export function showFormFailure({ title, error }: { title: string; error: unknown }): void {
  if (error instanceof ApiError || isNetworkFailure(error)) {
    toast({ title, description: errorMessage(error), variant: 'destructive' })
  } else window.alert(`The form could not be submitted: ${errorMessage(error)}`)
}

export function refusedFields(error: unknown): ErrorDetail[] {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 409)) return []
  return z.array(errorDetail).safeParse(error.details).data ?? []
}
