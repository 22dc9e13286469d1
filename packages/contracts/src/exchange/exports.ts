import * as z from 'zod'
import { idList } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { ownership } from '../records/shares.ts'

export const EXPORT_FORMATS = ['folder', 'langfuse', 'promptfoo'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const exportQuery = z.strictObject({
  format: z
    .enum(EXPORT_FORMATS)
    .default('folder')
    .describe(
      'folder: a zip of Markdown and YAML files, which the import reads; langfuse: JSON of prompts; promptfoo: YAML of prompts with their tests.',
    ),
  ownership,
  promptIds: idList
    .optional()
    .describe('Only these prompts (and any chains listed in `chainIds`), separated by commas.'),
  chainIds: idList
    .optional()
    .describe('Only these chains (and any prompts listed in `promptIds`), separated by commas.'),
})
export type ExportQuery = z.output<typeof exportQuery>

export const exportsApi = defineApi('exports', {
  'GET /api/export': {
    who: 'user',
    summary: 'Prompts, chains and test suites as files',
    description:
      'Everything the caller can see, or a selection. As a folder: a Markdown file per prompt and a YAML file per chain and ' +
      'suite, with names instead of ids, byte-for-byte the same until something changes. Import reads it. Values ' +
      'of variables, tokens and shares are never included.',
    query: exportQuery,
    sends: { 200: z.string().describe('A zip, JSON or YAML.') },
    errors: [401, 429],
    limits: ['streams'],
    crossSiteCheck: true,
    noStore: true,
    activity: { kind: 'export.downloaded', object: 'account' },
  },
})
