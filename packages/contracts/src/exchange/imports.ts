import * as z from 'zod'
import { entryName, id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { jsonValue } from '../json-value.ts'

export const IMPORT_FILES_MAX = 2_500
export const IMPORT_TEXT_MAX = 4_000_000
export const IMPORT_ITEMS_MAX = 2_000
export const IMPORT_LOSSES_MAX = 1_000
export const IMPORT_UNDO_HOURS = 24
const FILE_NAME_MAX = 300
/** Texts of other scripts take up to three bytes a character, and some two more as JSON. */
const BODY_BYTES = 16 * 1024 * 1024

export const IMPORT_FORMATS_READ = [
  'catenary',
  'openai',
  'langfuse',
  'markdown',
  'open-webui',
  'prompts-chat',
  'promptfoo',
] as const
export type ImportFormat = (typeof IMPORT_FORMATS_READ)[number]

export const IMPORT_CHOICES = ['skip', 'version', 'copy'] as const
const choice = z
  .enum(IMPORT_CHOICES)
  .describe(
    'skip: the existing prompt stays as it is; version: the imported one becomes its new version; copy: the imported one becomes a new prompt.',
  )
export type ImportChoice = z.infer<typeof choice>

const itemKey = z
  .string()
  .regex(/^\d{1,4}\.\d{1,5}$/, 'Must be the key of an item')
  .describe('Identifies the item of the dry run; the same for the same files.')

export const importRequest = z.strictObject({
  files: z
    .array(
      z.strictObject({
        name: z
          .string()
          .trim()
          .min(1, 'A file needs a name')
          .max(FILE_NAME_MAX, `A file name can have at most ${FILE_NAME_MAX} characters`)
          .describe('Name of the file, with its path where a folder is imported.'),
        text: z.string().min(1, 'The file is empty').describe('The file.'),
      }),
    )
    .min(1, 'Choose a file')
    .max(IMPORT_FILES_MAX, {
      error: () => `At most ${IMPORT_FILES_MAX.toLocaleString('en')} files at once`,
    })
    .refine((files) => files.reduce((sum, { text }) => sum + text.length, 0) <= IMPORT_TEXT_MAX, {
      error: () => `The files must be at most ${IMPORT_TEXT_MAX.toLocaleString('en')} characters together`,
    })
    .describe('Their formats are detected from their content.'),
  dryRun: z.boolean().default(true).describe('Only report what the import would do.'),
  conflicts: z
    .strictObject({
      all: choice.default('skip').describe('What to do with conflicts that are not listed individually.'),
      items: z.record(itemKey, choice).default({}).describe('By the key of the item.'),
    })
    .default({ all: 'skip', items: {} })
    .describe('What to do with prompts whose title is already used by one of the caller’s prompts.'),
  categoryId: id.optional().describe('Category for files that don’t name one; default: General.'),
  asSkills: z
    .boolean()
    .default(true)
    .describe('Import skills as skills, which agents get once they are released to them.'),
  tag: entryName.nullish().describe('A tag for everything imported; default: none.'),
})
export type ImportRequest = z.input<typeof importRequest>

const loss = z.object({
  at: z.string().describe('The file, and where in it.'),
  reason: z.string().describe('What was not imported, or was changed, in one sentence.'),
})
export type ImportLoss = z.infer<typeof loss>

const importItem = z.object({
  key: itemKey,
  kind: z.enum(['prompt', 'chain', 'suite']).describe('Kind of the record.'),
  name: z.string().describe('Its title or name.'),
  state: z
    .enum(['new', 'same', 'conflict'])
    .describe(
      'new: it is not here yet; same: identical here, or imported before; conflict: here with different text or settings.',
    ),
  file: z.int().describe('Which of the files it is from, from 0.'),
  at: z.string().describe('Its place in the file; empty: the whole.'),
  tests: z.int().describe('Tests that come with it.'),
  isSkill: z.boolean().describe('The file marks it as a skill.'),
  alias: z
    .string()
    .nullable()
    .describe(
      'Name that code used for it in the other program; once imported, code can use it here too. null: there is none.',
    ),
  slug: z
    .string()
    .nullable()
    .describe('Name that programs use for it here; null: nothing was created, or it is not a prompt.'),
  existing: z
    .object({
      id,
      version: z.int().describe('Its current version, or for a suite its revision.'),
      isNewer: z.boolean().describe('It was saved later than the imported one, according to the file.'),
    })
    .nullable()
    .describe('The record that it conflicts with; null: none.'),
  content: z
    .string()
    .nullable()
    .describe(
      'For a conflict, the first 20,000 characters of the text in the file, or of the whole file for a chain or suite; null: no conflict, or too many to show.',
    ),
  made: z
    .enum(['new', 'version', 'copy'])
    .nullable()
    .describe('What the import created from it; null: nothing, or a dry run.'),
  here: z
    .string()
    .nullable()
    .describe(
      'For a conflict of a chain or suite, its file as it would be exported now; null where `content` is null, and for prompts.',
    ),
  promptId: id.nullable().describe('The prompt that was created or has a new version; null: none.'),
  chainId: id.nullable().describe('The same for a chain.'),
  suiteId: id.nullable().describe('The same for a suite.'),
})
export type ImportItem = z.infer<typeof importItem>

const importedFile = z.object({
  name: z.string().describe('Name of the file.'),
  format: z.enum(IMPORT_FORMATS_READ).nullable().describe('Format it is read as; null: unknown.'),
  prompts: z.int().describe('Prompts in it.'),
  chains: z.int().describe('Chains in it.'),
  tests: z.int().describe('Tests in it.'),
  problem: z.string().nullable().describe('Why and where it could not be read; null: it was read.'),
})
export type ImportedFile = z.infer<typeof importedFile>

export const importOutcome = z.object({
  id: id.nullable().describe('Id of the import; null: a dry run, or nothing was created.'),
  files: z.array(importedFile).describe('In the order of the request.'),
  items: z.array(importItem).describe('In the order of the files.'),
  losses: z.array(loss).describe(`What was not imported, one line each, at most ${IMPORT_LOSSES_MAX}.`),
  lossCount: z.int().describe('How many lines there are.'),
})
export type ImportOutcome = z.infer<typeof importOutcome>

const recentImport = z.object({
  id,
  fileNames: z.array(z.string()).describe('The first three files.'),
  fileCount: z.int().describe('How many files there were.'),
  made: z.int().describe('Records that it created.'),
  versions: z.int().describe('Records that it gave a new version.'),
  lossCount: z.int().describe('Lines of its report.'),
  canUndo: z.boolean().describe('It can still be undone.'),
  undoneAt: timestamp.nullable().describe('When it was undone; null: it was not.'),
  createdAt: timestamp,
})

export const recentImports = z.array(recentImport).describe('The ten newest.')
export type RecentImport = z.infer<typeof recentImport>

export const importReportKept = recentImport.extend({
  losses: z
    .array(
      loss.extend({
        kept: jsonValue.optional().describe('The original text; absent: nothing to keep.'),
        now: z.string().optional().describe('What replaced it here; absent: it is unchanged.'),
      }),
    )
    .describe('All of them.'),
})
export type ImportReportKept = z.infer<typeof importReportKept>

export const undoneImport = z.object({
  removed: z.int().describe('Records that were deleted.'),
  restored: z
    .int()
    .describe('Records restored to their earlier state; prompts and chains get a new version.'),
  kept: z
    .array(
      z.object({
        kind: z.enum(['prompt', 'chain', 'suite']).describe('Kind of the record.'),
        id,
        name: z.string().describe('Its title or name.'),
        reason: z
          .enum(['changed', 'used'])
          .describe(
            'changed: it was saved since, even if only in parts without versions; used: a chain, suite, token, label, alias or share needs it.',
          ),
      }),
    )
    .describe('What stays.'),
})
export type UndoneImport = z.infer<typeof undoneImport>

export const importsApi = defineApi('imports', {
  'POST /api/import': {
    who: 'user',
    summary: 'Import prompts from elsewhere',
    description:
      'OpenAI’s prompt objects, Langfuse, Markdown with front matter, Open WebUI, prompts.chat and promptfoo, recognised by ' +
      'their content. With `dryRun`, which is the default, nothing is created: the reply says what is new, what exists ' +
      'already, and what is not imported. What is created is private and belongs to the caller; all of it or nothing.',
    body: importRequest,
    reply: importOutcome,
    errors: [413],
    writes: 'file',
    bodyBytes: BODY_BYTES,
    activity: { kind: 'import.made', object: 'import' },
  },
  'GET /api/imports': {
    who: 'user',
    summary: 'The caller’s newest imports',
    reply: recentImports,
    errors: [401],
  },
  'GET /api/imports/{id}': {
    who: 'user',
    summary: 'One of the caller’s imports with its full report',
    params: idParams,
    reply: importReportKept,
    errors: [401],
  },
  'POST /api/imports/{id}/undo': {
    who: 'user',
    summary: 'Undo an import, for a day',
    description:
      'Deletes what it created and restores earlier texts, except for anything changed since or in use.',
    params: idParams,
    reply: undoneImport,
    errors: [409],
    activity: { kind: 'import.undone', object: 'import' },
  },
})
