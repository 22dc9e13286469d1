import { VALUE_WOULD_LEAVE } from '@catenary/contracts'
import * as z from 'zod'
import { ApiError } from '../../lib/errors.ts'

const refusal = z.object({
  code: z.literal(VALUE_WOULD_LEAVE),
  details: z.array(z.object({ destination: z.string() })),
})

/** Where a refused run would have taken private values; null: it failed otherwise (D89). */
export function destinationsOf(error: unknown): string[] | null {
  const read = refusal.safeParse(error instanceof ApiError ? error.body : undefined)
  return read.success ? read.data.details.map(({ destination }) => destination) : null
}
