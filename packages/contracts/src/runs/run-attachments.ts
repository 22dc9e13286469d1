import * as z from 'zod'
import { idParam } from '../common.ts'
import { attachment } from '../files.ts'

/** An image or PDF that a model was shown. */
export const runAttachment = attachment.extend({
  name: z.string().describe('Name in the reference.'),
})
export type RunAttachment = z.infer<typeof runAttachment>
export const runAttachments = z
  .array(runAttachment)
  .describe(
    'Images and PDFs as sent, in order. GET /api/executions/{id}/files/{fileId} returns each; the text has a mark such as [image: login.png] in its place.',
  )

export const runFileParams = z.strictObject({
  id: idParam.describe('Id of the run.'),
  fileId: idParam.describe('Id of a file that one of its steps was sent.'),
})
