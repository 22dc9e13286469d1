import * as z from 'zod'

export const SEALED_VALUE_MAX = 8_000

const sealed = z.literal(true).describe('Its value is read by nobody: only the call gets it.')

const SET =
  'Set it anew. Only the owner of the chain may. Absent: the value that is kept for the step, its origin and its method.'
const value = z.string().trim().min(1, 'Write the value').max(SEALED_VALUE_MAX)

/** A name whose value is sealed, as it is kept and as it is sent. */
export const sealedPart = (name: z.ZodString) => z.strictObject({ name: name.describe('Name.'), sealed })
export const writtenSealedPart = (name: z.ZodString) =>
  z.strictObject({ name: name.describe('Name.'), sealed, value: value.optional().describe(SET) })

const origin = z
  .url({ protocol: /^https?$/, error: 'Write an origin, as in https://hooks.example.org' })
  .max(300)
  .refine((text) => URL.parse(text)?.origin === text, 'Write an origin, as in https://hooks.example.org')
  .describe('Scheme, host and port of the address.')

export const sealedAddress = z.strictObject({ sealed, origin })
export const writtenSealedAddress = z.union([
  sealedAddress,
  z.strictObject({
    sealed,
    value: value.describe('The whole address. Only the owner of the chain may set it.'),
  }),
])

/** Whether nobody reads a part of a call, or its address. */
export const isSealed = <Part>(part: Part): part is Extract<Part, { sealed: true }> =>
  typeof part === 'object' && part !== null && 'sealed' in part
