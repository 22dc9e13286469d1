import { type Attachment, kindOfMedia } from '@catenary/contracts'

/** What stands in a text for an image or a PDF that is sent with it. */
export function attachmentMark({ mediaType, fileName }: Pick<Attachment, 'mediaType' | 'fileName'>): string {
  return `[${kindOfMedia(mediaType)}: ${fileName}]`
}
