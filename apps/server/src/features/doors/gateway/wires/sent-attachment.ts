import type { AttachmentKind } from '@catenary/contracts'

/** An image or a document of a request: its data in base64, or its address. */
export interface SentAttachment {
  kind: AttachmentKind
  /** Where it stands in the request. */
  param: string
  data?: string
  url?: string
  fileName?: string
}
