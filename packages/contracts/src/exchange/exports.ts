import * as z from 'zod'
import { idList } from '../common.ts'
import { ownership } from '../shares.ts'

export const EXPORT_FORMATS = ['folder', 'langfuse', 'promptfoo'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** GET /api/export */
export const exportQuery = z.strictObject({
  format: z
    .enum(EXPORT_FORMATS)
    .default('folder')
    .describe(
      'folder: a zip of Markdown and YAML files, which the import reads; langfuse: JSON of prompts; promptfoo: YAML of prompts with their tests.',
    ),
  ownership,
  promptIds: idList
    .optional()
    .describe('Only these prompts, and the chains that are named; separated by commas.'),
  chainIds: idList
    .optional()
    .describe('Only these chains, and the prompts that are named; separated by commas.'),
})
export type ExportQuery = z.output<typeof exportQuery>
