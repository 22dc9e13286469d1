import type { FastifyReply } from 'fastify'

export interface Media {
  file: { mediaType: string; fileName: string }
  bytes: Buffer
}

/** Sends a stranger's image or PDF so that no browser takes it for a page. */
export function sendMedia(
  reply: FastifyReply,
  { file: { mediaType, fileName }, bytes }: Media,
): FastifyReply {
  const shown = mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return reply
    .type(mediaType)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', `${shown}; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .header('cache-control', 'private, max-age=3600')
    .header('cross-origin-resource-policy', 'same-origin')
    .send(bytes)
}
