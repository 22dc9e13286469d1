import type * as z from 'zod'
import { refusedFields } from '../../../lib/forms/form-failure.ts'

export type FieldErrors = Readonly<Record<string, string>>

/** The first complaint about each field; of a number's type in one's own words. */
export function fieldErrors(error: z.ZodError, numberText?: string): FieldErrors {
  const errors: Record<string, string> = {}
  for (const { path, message, code } of error.issues) {
    const field = String(path[0] ?? '')
    errors[field] ??= code === 'invalid_type' && numberText !== undefined ? numberText : message
  }
  return errors
}

export function refusalErrors(error: unknown): FieldErrors {
  return Object.fromEntries(refusedFields(error).map(({ path, message }) => [path, message]))
}
