import * as z from 'zod'
import { id, idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import { nameText, optionalName } from './names.ts'

/** 1 MiB of UTF-8 (D25). */
export const FILE_MAX_BYTES = 1_048_576
/** Room for a file of lines and quotes, which JSON writes with two characters each. */
const UPLOAD_BODY_BYTES = 4 * 1024 * 1024
/** Room for the largest PDF in base64. */
const MEDIA_BODY_BYTES = 14 * 1024 * 1024
export const FILE_EXTENSIONS = [
  '.txt',
  '.json',
  '.js',
  '.ts',
  '.py',
  '.html',
  '.css',
  '.md',
  '.csv',
  '.tsv',
  '.xml',
  '.yaml',
  '.yml',
  '.log',
  '.htm',
  '.markdown',
] as const

const uploadRequest = z.strictObject({
  fileName: nameText('File name is required')
    .max(1000, 'File name must be at most 1000 characters')
    .refine(
      (name) => FILE_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension)),
      `Only text files can be uploaded: ${FILE_EXTENSIONS.join(', ')}`,
    )
    .describe('Only the last part of a path is kept; characters not allowed in a file name are replaced.'),
  content: z.string().describe('UTF-8 text without NUL, at most 1 MiB.'),
})
export type UploadRequest = z.infer<typeof uploadRequest>

export const uploadReply = z.object({
  filePath: z.string().describe('`uploads/{timestamp}_{name}`: use it as `content` of a file variable.'),
})
export type UploadReply = z.infer<typeof uploadReply>

export const ATTACHMENT_KINDS = ['image', 'document'] as const
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number]

/** Media types that are taken; each is told by its bytes, never by a name. */
export const MEDIA_TYPES = {
  image: ['image/png', 'image/jpeg', 'image/webp'],
  document: ['application/pdf'],
} as const satisfies Record<AttachmentKind, readonly string[]>
const mediaType = z.enum([...MEDIA_TYPES.image, ...MEDIA_TYPES.document])
export type MediaType = z.infer<typeof mediaType>

/** Bytes of one image without its metadata: as base64 no more than the 5 MB that Anthropic takes. */
export const IMAGE_MAX_BYTES = 3_750_000
export const DOCUMENT_MAX_BYTES = 10_000_000
/** Of one PDF: the most that each vendor reads. */
export const DOCUMENT_MAX_PAGES = 100
export const ATTACHMENTS_MAX = 20
export const ATTACHMENTS_MAX_BYTES = 20_000_000

export function kindOfMedia(type: MediaType): AttachmentKind {
  return type === 'application/pdf' ? 'document' : 'image'
}

export const attachment = z.object({
  fileId: id.describe('Id of the stored file.'),
  fileName: z.string().describe('Name of the file, without a path.'),
  mediaType: mediaType.describe('Type, detected from its bytes.'),
  width: z.int().nullable().describe('Pixels as shown; null for a PDF.'),
  height: z.int().nullable().describe('Pixels as shown; null for a PDF.'),
  bytes: z.int().describe('Size of the stored file in bytes.'),
})
export type Attachment = z.infer<typeof attachment>

const storeFileRequest = z
  .strictObject({
    fileName: optionalName()
      .max(1000, 'File name must be at most 1000 characters')
      .optional()
      .describe(
        'Only the last part of a path is kept. Default: a name based on its type, or the one in the address.',
      ),
    data: z.string().min(1, 'The file is empty').optional().describe('The bytes in base64.'),
    url: z
      .string()
      .trim()
      .min(1, 'Enter an address')
      .max(2000)
      .optional()
      .describe('Address to fetch it from instead; must be public, http or https.'),
  })
  .refine(({ data, url }) => (data === undefined) !== (url === undefined), {
    path: ['data'],
    message: 'Send either data or url',
  })
export type StoreFileRequest = z.infer<typeof storeFileRequest>

export const storedFile = attachment.extend({
  filePath: uploadReply.shape.filePath.describe(
    '`uploads/{timestamp}_{name}`: use it as `content` of an image or document variable, or as its value for a run.',
  ),
})
export type StoredFile = z.infer<typeof storedFile>

export const filesApi = defineApi('variables', {
  'POST /api/upload': {
    who: 'user',
    summary: 'Upload the text of a file variable',
    description: 'A file that no variable refers to is deleted after a day.',
    body: uploadRequest,
    created: uploadReply,
    bodyBytes: UPLOAD_BODY_BYTES,
    activity: { kind: 'file.uploaded', object: 'file' },
  },
  'POST /api/files': {
    who: 'user',
    summary: 'Upload an image or a PDF',
    description:
      'PNG, JPEG, WebP or PDF, detected from its bytes. Location, device and other metadata of images are removed. ' +
      'A file that no variable and no run refers to is deleted after a day.',
    body: storeFileRequest,
    created: storedFile,
    bodyBytes: MEDIA_BODY_BYTES,
    writes: 'file',
    activity: { kind: 'file.uploaded', object: 'file' },
  },
  'GET /api/files/{id}': {
    who: 'user',
    summary: 'The bytes of one of your images or PDFs',
    params: idParams,
    media: true,
  },
})
