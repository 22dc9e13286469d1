import type { AttachmentKind } from '@catenary/contracts'
import * as z from 'zod'
import { boundValidation } from '../../../../platform/http/bounded-validation.ts'
import { GatewayError, refused } from '../gateway-error.ts'

/** Either its data in base64, or its address. */
export interface SentAttachment {
  kind: AttachmentKind
  /** Where it stands in the request. */
  param: string
  data?: string
  url?: string
  fileName?: string
}

/** Throws what is wrong with the first field that is. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  boundValidation(schema)
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = issue?.path.join('.') || 'body'
  throw new GatewayError('invalid', `${param}: ${issue?.message ?? 'Invalid'}`, { param })
}

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

const headerSafe = (name: string): string => name.replace(/[^\w.-]/g, '_').slice(0, 60)

interface PartKinds {
  text: readonly string[]
  dropped?: readonly string[]
  /** Puts a part into other words; undefined for one that it doesn't know. */
  told?: (part: ContentPart) => string[] | undefined
  /** Undefined for a part that can't be taken. Throws for one that is malformed. */
  attached?: (part: ContentPart, param: string) => SentAttachment | undefined
}

export const contentPart = z.looseObject({ type: z.string(), text: z.string().optional() })
export type ContentPart = z.output<typeof contentPart>

interface Parts {
  texts: string[]
  attached: SentAttachment[]
}

/** Throws for a part of a kind that a chain can't take. */
export function readParts(
  content: string | null | undefined | ContentPart[],
  { kinds, param }: { kinds: PartKinds; param: string },
): Parts {
  if (content === null || content === undefined) return { texts: [], attached: [] }
  if (typeof content === 'string') return { texts: [content], attached: [] }
  const parts: Parts = { texts: [], attached: [] }
  for (const [index, part] of content.entries()) {
    const { type, text = '' } = part
    const at = `${param}.${index}`
    const told = kinds.text.includes(type) ? [text] : kinds.told?.(part)
    if (told !== undefined) parts.texts.push(...told)
    else if (!kinds.dropped?.includes(type)) {
      const attached = kinds.attached?.(part, at)
      if (attached === undefined) throw refused(at, `parts of the type ${type} are not supported`)
      parts.attached.push(attached)
    }
  }
  return parts
}

const DATA_URL = /^data:[\w.+/-]{0,100};base64,/

/** The address may be a data URL, which holds the content itself. */
export function readAddress(
  sent: { kind: AttachmentKind; address: unknown; fileName?: unknown },
  param: string,
): SentAttachment {
  const { kind, address, fileName } = sent
  if (typeof address !== 'string' || address === '')
    throw refused(param, 'it has neither an address nor data')
  const name = typeof fileName === 'string' && fileName !== '' ? { fileName: fileName.slice(0, 1000) } : {}
  const head = DATA_URL.exec(address.slice(0, 200))?.[0]
  if (head !== undefined) return { kind, param, data: address.slice(head.length), ...name }
  if (!/^https?:/i.test(address))
    throw refused(param, 'only http, https and base64 data addresses are supported')
  return { kind, param, url: address, ...name }
}

export const model = z.string().min(1).max(200)
export const stopTexts = z.array(z.string().min(1).max(500)).max(16)
export const tokenLimit = z.number().int().min(1)
