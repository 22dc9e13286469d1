import { type Attachment, kindOfMedia } from '@catenary/contracts'

export function attachmentMark({ mediaType, fileName }: Pick<Attachment, 'mediaType' | 'fileName'>): string {
  return `[${kindOfMedia(mediaType)}: ${fileName}]`
}
