import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DIGEST_BYTES, MAGIC } from '../keeping/backup/backup-format.ts'

const [BLOCK, SIZE_AT, SIZE_DIGITS] = [512, 124, 12]

/**
 * A backup file once for each of its parts of that name: with one byte changed in it, and a checksum that fits. First it
 * comes as it was, packed in the same way, under no name.
 */
export function* flipEachPart(bytes: Buffer, wanted: RegExp): Generator<{ name: string; bytes: Buffer }> {
  const tar = gunzipSync(bytes.subarray(MAGIC.length, -DIGEST_BYTES))
  yield { name: '', bytes: seal(tar) }
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('latin1', at, tar.indexOf(0, at))
    const size = Number.parseInt(tar.toString('latin1', at + SIZE_AT, at + SIZE_AT + SIZE_DIGITS), 8)
    at += BLOCK
    if (wanted.test(name)) yield { name, bytes: seal(flip(tar, at + (size >> 1))) }
    at += Math.ceil(size / BLOCK) * BLOCK
  }
}

/** The same with another byte there. */
export function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

function seal(tar: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(MAGIC), gzipSync(tar, { level: 1 })])
  return Buffer.concat([body, createHash('sha256').update(body).digest()])
}
