import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { UnknownFormError } from './provider-error.ts'

const UNPACKERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** The bytes of a reply without what `content-encoding` says of them: some servers pack what nobody asked them to. */
export function unpackBody(body: Readable, encodings: string | string[] | undefined): Readable {
  const named = [encodings ?? []].flat().join(',').toLowerCase().split(',')
  const packed = named.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity')
  if (packed.length === 0) return body
  const unpackers = packed.toReversed().map((name) => {
    const make = UNPACKERS[name]
    if (make === undefined) {
      body.on('error', () => undefined).destroy()
      throw new UnknownFormError(`a body packed as “${name.slice(0, 40)}”`)
    }
    return make()
  })
  // Whoever reads the end is told of a failure by its stream.
  pipeline([body, ...unpackers], () => undefined)
  return unpackers.at(-1) ?? body
}
