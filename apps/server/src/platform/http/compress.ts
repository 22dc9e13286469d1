import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** What is smaller fits into a few packets anyway. */
const COMPRESS_FROM_CHARACTERS = 16_384

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

// The quickest of each: long lists are read from the database each time, and shrink to a fifth already.
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const QUICK_GZIP = { level: 1 }

const encoders = {
  br: (text: string) => brotli(text, QUICK_BROTLI),
  gzip: (text: string) => zip(text, QUICK_GZIP),
}

export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const isLong =
      payload instanceof Readable ||
      (typeof payload === 'string' && payload.length >= COMPRESS_FROM_CHARACTERS)
    if (!isLong || !isJson) return payload
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`)
    const encoding = preferred(request.headers['accept-encoding'])
    if (encoding === undefined) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (typeof payload === 'string') return encoders[encoding](payload)
    return payload.pipe(encoding === 'br' ? createBrotliCompress(QUICK_BROTLI) : createGzip(QUICK_GZIP))
  })
}

function preferred(accepted: string | string[] | undefined): keyof typeof encoders | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0])
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : undefined
}
