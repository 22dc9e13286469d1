import type { RunAttachment } from '@catenary/contracts'
import { apiPath } from '../../lib/api.ts'
import { AttachmentFacts } from './thumbnail.tsx'

export interface RunAttachmentsProps {
  executionId: number
  attachments: readonly RunAttachment[]
}

export function RunAttachments({ executionId, attachments }: RunAttachmentsProps) {
  if (attachments.length === 0) return null
  return (
    <section aria-label="Attachments" className="grid gap-1.5 text-sm">
      <h3 className="text-xs font-medium tracking-normal text-text-3">Attachments</h3>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {attachments.map((attachment) => (
          <li key={attachment.fileId} className="px-2.5 py-2">
            <AttachmentFacts
              attachment={attachment}
              name={attachment.name}
              src={apiPath('GET /api/executions/{id}/files/{fileId}', {
                params: { id: executionId, fileId: attachment.fileId },
              })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
