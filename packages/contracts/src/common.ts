import * as z from 'zod'
import { nameText } from './names.ts'

/** Largest id: ids are PostgreSQL `integer`s. */
export const MAX_ID = 2_147_483_647
export const NAME_MAX = 50

z.config({
  // A page's Content-Security-Policy forbids the code that zod would generate.
  jitless: 'document' in globalThis,
  // The specification quotes these two default messages; zod 4 words them differently.
  customError: (issue) => {
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys)
    if (issue.code !== 'invalid_type') return undefined
    if (issue.input === undefined) return 'Required'
    return `Expected ${issue.expected}, received ${receivedType(issue.input)}`
  },
})

const KEYS_NAMED = 3
const KEY_NAMED_MAX = 50

/** Names a few: senders control the number and length of keys. */
function unknownKeys(keys: readonly string[]): string {
  const named = keys.slice(0, KEYS_NAMED).map((key) => `"${shorten(key)}"`)
  const others = keys.length > KEYS_NAMED ? ` and ${keys.length - KEYS_NAMED} more` : ''
  return `Unrecognized ${keys.length === 1 ? 'key' : 'keys'}: ${named.join(', ')}${others}`
}

function shorten(key: string): string {
  return key.length > KEY_NAMED_MAX ? `${key.slice(0, KEY_NAMED_MAX).toWellFormed()}…` : key
}

function receivedType(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  return Number.isNaN(input) ? 'nan' : typeof input
}

export const id = z.int().min(1).max(MAX_ID).describe('Id of a record.')

/** An id in a path or a query: digits only, so `1e3`, ` 7` and `0x1` are refused. */
export const idParam = z
  .string()
  .regex(/^[0-9]{1,10}$/, 'Must be a whole number')
  // As a client sends it: a number, of which the path has the digits.
  .meta({ type: 'integer', minimum: 1, maximum: MAX_ID, pattern: undefined })
  .transform(Number)
  .pipe(id)

export const idParams = z.strictObject({ id: idParam.describe('Id of the record.') })

/** `1,2,3` in a query. */
export const idList = z
  .string()
  .transform((list) => list.split(',').filter((part) => part !== ''))
  .pipe(z.array(idParam).max(200))

export const timestamp = z.iso.datetime().describe('ISO 8601, UTC.')
export const revision = z.int().min(1).describe('Incremented with each save (D16).')

/** A mail address; the name of its host may have letters of any script, and is kept as mail servers write it. */
export const emailAddress = (message: string) =>
  z
    .string()
    .overwrite(withAsciiHost)
    .regex(z.regexes.email, message)
    .meta({ format: 'email' })
    .describe('A host such as münchen.de is kept as xn--mnchen-3ya.de.')

/** What separates the parts of a URL can't stand in the name of a host. */
const FOREIGN_HOST = /^([^@]+@)([^@\s:/?#[\]\\%]*\P{ASCII}[^@\s:/?#[\]\\%]*)$/u

export function withAsciiHost(address: string): string {
  const [, local = '', host = ''] = FOREIGN_HOST.exec(address) ?? []
  const url = URL.parse(`http://${host}`)
  return host === '' || url === null ? address : `${local}${url.hostname}`
}

export const entryName = nameText('Name is required')
  .max(NAME_MAX, `Name must be at most ${NAME_MAX} characters`)
  .describe('Trimmed and unique, ignoring case, width, composition, spaces and invisible characters.')

export const errorDetail = z.object({
  path: z.string().describe('Path of the field, with dots; empty: the whole body.'),
  message: z.string().describe('What is wrong with it.'),
})
export type ErrorDetail = z.infer<typeof errorDetail>

export const errorReply = z.object({
  error: z.string().describe('One sentence to show to a person.'),
  details: z
    .unknown()
    .optional()
    .describe('A list of {path, message}, or the current state if there is a conflict.'),
  code: z
    .string()
    .optional()
    .describe('Distinguishes errors with the same status, such as `private_values`.'),
})

export const rights = {
  canEdit: z.boolean().describe('The caller may change it.'),
  canDelete: z.boolean().describe('The caller may delete it.'),
  canExecute: z.boolean().describe('The caller may run it.'),
}

export const noContent = z.void().describe('No content.')
