import { DOCUMENT_MAX_PAGES } from '@catenary/contracts'
import { countPages } from './count-pages.ts'
import { DamagedFile, damaged } from './damaged-file.ts'

/** A program may have written lines after the end. */
const TAIL = 2_048
/** A dictionary that ends a PDF is shorter. */
const TRAILER = 4_096

/** Throws for a PDF that is cut off, that only a password opens, or that has more pages than vendors read. */
export function checkPdf(bytes: Buffer): void {
  const tail = bytes.toString('latin1', Math.max(bytes.length - TAIL, 0))
  const [, offset] = /startxref\s+(\d{1,10})\s+%%EOF/.exec(tail.slice(tail.lastIndexOf('startxref'))) ?? []
  if (offset === undefined) throw damaged()
  const table = Number(offset)
  // An older table is followed by its trailer, a newer one begins with what a trailer says.
  const trailer = bytes.lastIndexOf('trailer')
  const ends = [trailer, table].filter((at) => at >= 0 && at < bytes.length)
  const isEncrypted = ends.some((at) => bytes.toString('latin1', at, at + TRAILER).includes('/Encrypt'))
  if (isEncrypted) throw new DamagedFile('The PDF is encrypted. Save it without a password first.')
  const pages = countPages(bytes)
  if (pages !== undefined && pages > DOCUMENT_MAX_PAGES) {
    throw new DamagedFile(`The PDF has ${pages} pages: it may have ${DOCUMENT_MAX_PAGES} at most`)
  }
}
