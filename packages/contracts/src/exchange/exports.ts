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
    .describe('Only these prompts, and the chains that are named; separated by commas.'),
  chainIds: idList
    .optional()
    .describe('Only these chains, and the prompts that are named; separated by commas.'),
})
export type ExportQuery = z.output<typeof exportQuery>

export const exportsApi = defineApi('exports', {
  'GET /api/export': {
    who: 'user',
    summary: 'Prompts, chains and test suites as files',
    description:
      'What the caller sees, or a selection of it. As a folder: a Markdown file per prompt, a YAML file per chain and per ' +
      'suite, with names instead of ids, and byte-for-byte the same until something changes; the import reads it. Values ' +
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
