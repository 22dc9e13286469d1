import * as z from 'zod'

export const ALLOWED_VALUES_MAX = 30
export const ALLOWED_VALUE_MAX = 200
export const ALLOWED_VALUE_REFUSED = 'Choose one of the allowed values'

export const allowedValues = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'An allowed value can’t be empty')
      .max(ALLOWED_VALUE_MAX, `An allowed value can have at most ${ALLOWED_VALUE_MAX} characters`)
      .regex(/^[^\p{Cc}]*$/u, 'An allowed value must be a single line'),
  )
  .max(ALLOWED_VALUES_MAX, `At most ${ALLOWED_VALUES_MAX} allowed values`)
  .refine((values) => new Set(values).size === values.length, 'Two allowed values are the same')

export function allowsValue(allowed: readonly string[], value: string): boolean {
  return allowed.length === 0 || allowed.includes(value)
}
