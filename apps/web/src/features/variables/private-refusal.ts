import { PRIVATE_VALUES } from '@catenary/contracts'
import * as z from 'zod'
import { ApiError } from '../../lib/errors.ts'

const refusal = z.object({
  code: z.literal(PRIVATE_VALUES),
  details: z.array(z.object({ name: z.string() })),
})

/** The private names for which a run wants the person's yes first; null: it failed otherwise (D69). */
export function privateNamesOf(error: unknown): string[] | null {
  const read = refusal.safeParse(error instanceof ApiError ? error.body : undefined)
  return read.success ? [...new Set(read.data.details.map(({ name }) => name))] : null
}
