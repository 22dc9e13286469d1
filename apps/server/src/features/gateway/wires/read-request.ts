import * as z from 'zod'
import { GatewayError, refused } from '../gateway-error.ts'

/** Throws what is wrong with the first field that is. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue?.path.join('.') || 'body'
  throw new GatewayError('invalid', `${param}: ${issue?.message ?? 'Invalid'}`, { param })
}

/** What is sent without asking for anything. */
function isIdle(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Names of the fields that ask for something which has no meaning for a chain. */
export function ignoredFields(body: object, honoured: ReadonlySet<string>): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    honoured.has(name) || isIdle(value) ? [] : [headerSafe(name)],
  )
}

/** A name of the client's, as it may stand in a header. */
const headerSafe = (name: string): string => name.replace(/[^\w.-]/g, '_').slice(0, 60)

/** A part of a message: of the kinds that are text, or of one that is dropped. */
interface PartKinds {
  text: readonly string[]
  dropped?: readonly string[]
}

export const contentPart = z.looseObject({ type: z.string(), text: z.string().optional() })
type ContentPart = z.output<typeof contentPart>

/** The texts of a message's parts; throws for one of a kind that a chain can't take. */
export function textsOfParts(
  content: string | null | undefined | ContentPart[],
  { kinds, param }: { kinds: PartKinds; param: string },
): string[] {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return [content]
  return content.flatMap(({ type, text = '' }, index) => {
    if (kinds.text.includes(type)) return [text]
    if (kinds.dropped?.includes(type)) return []
    throw refused(`${param}.${index}`, `parts of the type ${type} are not supported: a chain takes text only`)
  })
}

export const model = z.string().min(1).max(200)
export const stopTexts = z.array(z.string().min(1).max(500)).max(16)
export const tokenLimit = z.number().int().min(1)
