import * as z from 'zod'

/** 1 MiB of UTF-8 (D25). */
export const FILE_MAX_BYTES = 1_048_576
/** The specification's extensions, and those of other common text types. */
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

/** POST /api/upload; 413 for more than `FILE_MAX_BYTES`. */
export const uploadRequest = z.strictObject({
  fileName: z
    .string()
    .trim()
    .min(1, 'File name is required')
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
