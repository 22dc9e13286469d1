import * as z from 'zod'
import { attachment } from '../files.ts'

export const runAttachment = attachment.extend({
  name: z.string().describe('Name in the reference.'),
})
export type RunAttachment = z.infer<typeof runAttachment>
export const runAttachments = z
  .array(runAttachment)
  .describe(
    'Images and PDFs as sent, in order. GET /api/executions/{id}/files/{fileId} returns each; the text has a placeholder such as [image: login.png] instead.',
  )
