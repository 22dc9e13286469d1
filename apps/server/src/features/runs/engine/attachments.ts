import {
  ATTACHMENTS_MAX,
  ATTACHMENTS_MAX_BYTES,
  type Attachment,
  kindOfMedia,
  type RunAttachment,
  type ValueOrigin,
} from '@catenary/contracts'
import { attachmentMark, TemplateTooLongError } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import type { ModelMessage, ModelPart } from '../../../platform/models/model-types.ts'
import { findMedia, readMedia } from '../../files/files.ts'
import { MissingValueError } from './run-ending.ts'

export interface KnownValue {
  value: string | null
  attachment?: Attachment
  origin: ValueOrigin
}

export interface PlacedAttachment {
  at: number
  attachment: RunAttachment
}

const MEDIA_KEY = /^uploads\/\d{1,15}_\S{1,200}\.(?:png|jpe?g|webp|pdf)$/i

export async function attachTyped(
  ctx: Context,
  { typed, ownerId }: { typed: ReadonlyMap<string, KnownValue>; ownerId: number },
): Promise<ReadonlyMap<string, KnownValue>> {
  const keys = [...typed].flatMap(([name, { value }]) => (isKey(value) ? [[name, value] as const] : []))
  if (keys.length === 0) return typed
  const found = await findMedia(ctx, { ownerId, keys: keys.map(([, key]) => key) })
  const attached = new Map(typed)
  for (const [name, key] of keys) {
    const attachment = found.get(key)
    const origin = typed.get(name)?.origin
    if (attachment === undefined || origin === undefined) {
      throw new MissingValueError(`$<${name}> has no value: This file is not among your uploads`)
    }
    attached.set(name, { value: attachmentMark(attachment), attachment, origin: { ...origin, source: key } })
  }
  return attached
}

/** Whether a value names an uploaded image or PDF. */
export const isMediaKey = (value: string): boolean => MEDIA_KEY.test(value)

function isKey(value: string | null): value is string {
  return value !== null && isMediaKey(value)
}

export function toKept(placed: PlacedAttachment[]): RunAttachment[] | null {
  return placed.length === 0 ? null : placed.map(({ attachment }) => attachment)
}

export async function loadAttachments(
  ctx: Context,
  { text, placed }: { text: string; placed: PlacedAttachment[] },
): Promise<ModelMessage['content']> {
  if (placed.length === 0) return text
  refuseTooMany(placed)
  const parts: ModelPart[] = []
  let start = 0
  for (const { at, attachment } of placed) {
    const { fileId, name, mediaType, fileName } = attachment
    const read = await readMedia(ctx, fileId)
    if (read === undefined)
      throw new MissingValueError(`$<${name}> has no value: The file is no longer there`)
    parts.push(
      { type: 'text', text: text.slice(start, at) },
      { type: kindOfMedia(mediaType), mediaType, fileName, data: read.bytes.toString('base64') },
    )
    start = at
  }
  const rest = text.slice(start)
  return rest === '' ? parts : [...parts, { type: 'text', text: rest }]
}

function refuseTooMany(placed: PlacedAttachment[]): void {
  if (placed.length > ATTACHMENTS_MAX) {
    throw new TemplateTooLongError(
      `The text has ${placed.length} images and PDFs; at most ${ATTACHMENTS_MAX} can be sent`,
    )
  }
  const bytes = placed.reduce((sum, { attachment }) => sum + attachment.bytes, 0)
  if (bytes > ATTACHMENTS_MAX_BYTES) {
    throw new TemplateTooLongError(
      `The images and PDFs are ${Math.ceil(bytes / 1e6)} MB in total; at most ${ATTACHMENTS_MAX_BYTES / 1e6} MB can be sent`,
    )
  }
}
