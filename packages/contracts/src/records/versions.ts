import * as z from 'zod'
import { idParam, revision, timestamp } from '../common.ts'
import type { RecordKind } from './records.ts'

export const VERSION_NOTE_MAX = 200

export const versionNote = z
  .string()
  .trim()
  .max(VERSION_NOTE_MAX, `The note must be at most ${VERSION_NOTE_MAX} characters`)
  .regex(/^[^\r\n]*$/, 'The note must be one line')
  .describe('Note for the new version; refused if no version is created.')

export const versionNoteRequest = z.strictObject({
  note: versionNote.describe('Note for the version, one line; may be empty.'),
})

export const restoreVersionRequest = z
  .strictObject({
    revision: revision
      .optional()
      .describe('Revision that was edited; a stale one is refused with 409 (D16).'),
  })
  .nullish()

export const numberOfVersion = { number: z.int().describe('Counts from 1.') }

export const savedVersion = {
  note: z.string().describe('The author’s note, one line; may be empty.'),
  author: z.string().nullable().describe("The author's username; null if the account was deleted."),
  createdAt: timestamp,
}

export const versionParams = (kind: RecordKind) =>
  z.strictObject({
    id: idParam.describe(`Id of the ${kind}.`),
    number: idParam.describe('Number of the version.'),
  })
