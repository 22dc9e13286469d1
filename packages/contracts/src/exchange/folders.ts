import * as z from 'zod'
import { id, idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { evaluation, evaluationCell, startEvaluationRequest } from '../evaluations.ts'
import { movableLabel, wantedLabel } from '../records/labels.ts'
import { VERSION_NOTE_MAX } from '../records/versions.ts'
import { IMPORT_FILES_MAX, IMPORT_TEXT_MAX } from './imports.ts'

const folderQuery = z.strictObject({
  label: wantedLabel
    .default('latest')
    .describe('Only prompts and chains with this label, in the version that it points to.'),
})

const PATH_MAX = 300
const path = z
  .string()
  .max(PATH_MAX, `A path can have at most ${PATH_MAX} characters`)
  .regex(
    /^(prompts|chains|suites\/(prompts|chains)\/[a-z0-9-]+)\/[a-z0-9-]+\.(md|yaml)$/,
    'Not a file of a folder. Use prompts/….md, chains/….yaml or suites/…/….yaml',
  )
  .describe('Its path in the folder, such as prompts/refund-reply.md.')

export const pushRequest = z.strictObject({
  files: z
    .array(
      z.strictObject({
        name: path,
        text: z.string().min(1, 'The file is empty').describe('The file.'),
        base: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256')
          .nullable()
          .describe('SHA-256 of the server’s file that the change was based on; null: it is new.'),
      }),
    )
    .min(1, 'Send at least one file')
    .max(IMPORT_FILES_MAX, { error: () => `At most ${IMPORT_FILES_MAX.toLocaleString('en')} files at once` })
    .refine((files) => files.reduce((sum, { text }) => sum + text.length, 0) <= IMPORT_TEXT_MAX, {
      error: () => `The files must be at most ${IMPORT_TEXT_MAX.toLocaleString('en')} characters together`,
    })
    .describe('What differs in the folder.'),
  dryRun: z.boolean().default(true).describe('Only report what the push would do.'),
  note: z
    .string()
    .trim()
    .max(VERSION_NOTE_MAX, `The note must be at most ${VERSION_NOTE_MAX} characters`)
    .regex(/^[^\r\n]*$/, 'The note must be one line')
    .default('')
    .describe('Note on the new versions; empty: the name of the file.'),
  label: movableLabel
    .optional()
    .describe('Label to move to what was pushed; refused if it is protected. Default: none.'),
})
export type PushRequest = z.input<typeof pushRequest>

export const pushOutcome = z.object({
  written: z.boolean().describe('false: a dry run, or there are conflicts, and then nothing was written.'),
  items: z
    .array(
      z.object({
        path: z.string().describe('The file.'),
        kind: z.enum(['prompt', 'chain', 'suite']).describe('Kind of the record.'),
        name: z.string().describe('Its title or name.'),
        state: z
          .enum(['new', 'version', 'same', 'conflict'])
          .describe(
            'new: it is created; version: it gets a new version; same: it is identical here; conflict: it was changed or deleted here since the base.',
          ),
        here: z
          .string()
          .nullable()
          .describe(
            'For a conflict, the file as it is here; null: no conflict, it is gone, or the file is too long.',
          ),
      }),
    )
    .describe('In the order of the files.'),
})
export type PushOutcome = z.infer<typeof pushOutcome>

export const evaluateFolderRequest = z.strictObject({
  suite: z
    .string()
    .max(PATH_MAX)
    .describe(
      'The suite: its path, or the name of its prompt or chain and its own name, such as refund-reply/tone.',
    ),
  label: wantedLabel.describe('Version that is tested.'),
  ...startEvaluationRequest.pick({ ceilingUsd: true, judgeModel: true, reuse: true }).shape,
  model: startEvaluationRequest.shape.judgeModel.describe(
    'Model that answers, for a prompt; null: the one that the prompt names.',
  ),
})

export const folderEvaluation = z.object({
  id,
  ...evaluation.pick({ status: true, stopReason: true, suiteName: true, recordName: true, costUsd: true })
    .shape,
  version: z.int().describe('Number of the version to test.'),
  passed: z.boolean().describe('It has ended, and every case that can run here passed.'),
  cases: z
    .array(
      z.object({
        name: z.string().describe('Value when the evaluation started.'),
        ...evaluationCell.pick({ status: true, reason: true, durationMs: true }).shape,
      }),
    )
    .describe('In the order of the suite.'),
})
export type FolderEvaluation = z.infer<typeof folderEvaluation>

/** Cookies are ignored here, so that no site can borrow a session. */
export const foldersApi = defineApi('folders', {
  'GET /api/folder': {
    who: 'folder token',
    summary: 'Everything a folder token’s creator owns, as a zip',
    description: '`Authorization: Bearer` with a folder token. Returns the same files as `GET /api/export`.',
    query: folderQuery,
    sends: { 200: z.string().describe('A zip.') },
    errors: [401, 403, 429],
    crossSiteCheck: false,
    noStore: true,
    activity: { kind: 'folder.pulled', object: 'account' },
  },
  'POST /api/folder/push': {
    who: 'folder token',
    summary: 'Push files of a folder as new versions',
    description:
      'All of them or none: if a file’s `base` doesn’t match the server’s, nothing is written, and the reply lists the ' +
      'conflicts. New records belong to the token’s creator and are private. Nothing is deleted.',
    body: pushRequest,
    reply: pushOutcome,
    errors: [401, 403, 429, 413],
    crossSiteCheck: false,
    notReplayed: true,
    writes: 'file',
    bodyBytes: 16 * 1024 * 1024,
    activity: { kind: ['folder.pushed', 'label.moved'], object: ['import', 'prompt', 'chain'] },
  },
  'POST /api/folder/evaluations': {
    who: 'folder token',
    summary: 'Run a test suite on the version that a label points to',
    body: evaluateFolderRequest,
    reply: folderEvaluation,
    errors: [401, 403, 429, 404, 409],
    crossSiteCheck: false,
    notReplayed: true,
    activity: { kind: 'evaluation.started', object: 'evaluation' },
  },
  'GET /api/folder/evaluations/{id}': {
    who: 'folder token',
    summary: 'An evaluation of a folder token’s creator',
    params: idParams,
    reply: folderEvaluation,
    errors: [401, 403, 429, 404],
    crossSiteCheck: false,
  },
})
