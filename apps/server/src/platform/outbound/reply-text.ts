import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

const MAX_REPLY_BYTES = 1024 * 1024
const BEGINNING_BYTES = 4_000

const TEXT_TYPE =
  /^(text\/.+|application\/((.+\+)?(json|xml|yaml)|(x-)?(javascript|ecmascript|yaml|ndjson|jsonlines|toml)|json-seq|graphql|sql|x-www-form-urlencoded))$|\+(json|xml|yaml)$/
const CHARSET = /;\s*charset\s*=\s*"?(?<charset>[^\s";]+)/i
const UNPACK_ERROR = /^(Z_|ERR__)/
const SHOWABLE = /^[\w.+/-]{1,60}$/

/** Throws `unsupported_type` for a type that is not text; an absent one is judged by its bytes later. */
export function checkContentType(contentType: string): void {
  const type = mediaType(contentType)
  if (type === '' || TEXT_TYPE.test(type)) return
  const shown = SHOWABLE.test(type) ? ` (${type})` : ''
  throw new OutboundError('unsupported_type', `The address answered with something other than text${shown}`)
}

export async function readText({
  body,
  contentType,
  contentEncoding,
}: {
  body: Readable
  contentType: string
  contentEncoding: string
}): Promise<string> {
  const bytes = await readBytes({ body, contentEncoding })
  const text = decode({ bytes, charset: CHARSET.exec(contentType)?.groups?.charset ?? 'utf-8' })
  if (text.includes('\0')) throw new OutboundError('bad_content', 'The address answered with binary data')
  return text
}

/** The first bytes of a body that is not packed, as text; whatever cuts it off ends it. */
export async function readBeginning(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= BEGINNING_BYTES) break
    }
  } catch {
    // The status says what became of the request.
  }
  const bytes = Buffer.concat(chunks).subarray(0, BEGINNING_BYTES)
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

export async function readBytes({
  body,
  contentEncoding,
  maxBytes = MAX_REPLY_BYTES,
}: {
  body: Readable
  contentEncoding: string
  maxBytes?: number
}): Promise<Buffer> {
  const decoder = decoderOf(contentEncoding)
  const bounded = boundedBy(maxBytes)
  const collect = (source: AsyncIterable<Buffer>): Promise<Buffer> => buffer(bounded(source))
  if (decoder === undefined) return await pipeline(body, collect)
  try {
    return await pipeline(body, bounded, decoder, collect)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!UNPACK_ERROR.test(code)) throw error
    throw new OutboundError('bad_content', 'The answer could not be decompressed: its data is damaged')
  }
}

function decoderOf(contentEncoding: string) {
  switch (contentEncoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new OutboundError('bad_content', 'The answer uses a compression that is not supported')
  }
}

function boundedBy(maxBytes: number) {
  const most = maxBytes === MAX_REPLY_BYTES ? '1 MiB' : `${maxBytes.toLocaleString('en')} bytes`
  return async function* bounded(source: AsyncIterable<Buffer>) {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new OutboundError('too_large', `The answer is larger than ${most}`)
      yield chunk
    }
  }
}

function decode({ bytes, charset }: { bytes: Buffer; charset: string }): string {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset, { fatal: true })
  } catch {
    const shown = SHOWABLE.test(charset) ? ` (${charset})` : ''
    throw new OutboundError('bad_content', `The answer is in a character set that is not supported${shown}`)
  }
  try {
    return decoder.decode(bytes)
  } catch {
    throw new OutboundError(
      'bad_content',
      `The answer is not valid text in ${decoder.encoding.toUpperCase()}`,
    )
  }
}

function mediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}
