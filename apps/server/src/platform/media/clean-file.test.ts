import { deflateSync } from 'node:zlib'
import ExifReader from 'exifreader'
import { afterAll, describe, expect, test } from 'vitest'
import { makeJpeg, makePdf, makePng, makeWebp, TELLTALES } from '../../testing/pictures.ts'
import { createBoundedWork } from '../bounded/bounded-work.ts'
import { cleanFile } from './clean-file.ts'
import cleanHere from './clean-file-task.ts'

const bounded = createBoundedWork()
afterAll(() => bounded.close())

const clean = (bytes: Buffer) => cleanFile({ bytes }, { bounded, owner: 1 })
const KINDS = [
  ['image/png', makePng, { width: 40, height: 30 }],
  ['image/jpeg', makeJpeg, { width: 40, height: 30 }],
  ['image/webp', makeWebp, { width: 40, height: 30 }],
] as const

/** What a reader that many use finds in it, besides its form. */
function notesIn(bytes: Uint8Array): string[] {
  const read = ExifReader.load(Buffer.from(bytes), { expanded: true })
  const { file: _file, jfif: _jfif, pngFile: _pngFile, png: _png, riff: _riff, ...notes } = read
  return Object.values(notes).flatMap((group) => Object.keys(Object(group)))
}

describe.each(KINDS)('%s', (mediaType, make, size) => {
  const telling = make({ ...size, tells: true })

  test('What an image says of place, device and person is left out before it is kept, but for how it is turned. A PDF stays as it is, and the form says so.', async () => {
    expect(notesIn(telling).length).toBeGreaterThan(2)
    const cleaned = await clean(telling)
    if ('refusal' in cleaned) throw new Error(cleaned.refusal)
    const { bytes } = cleaned
    expect(cleaned).toMatchObject({ mediaType, ...size })
    const text = Buffer.from(bytes).toString('latin1')
    for (const word of TELLTALES) {
      expect(telling.toString('latin1')).toContain(word)
      expect(text).not.toContain(word)
    }
    expect(notesIn(bytes)).toEqual([])
    // Cleaned once more it is the same: nothing is left to go.
    expect(await clean(Buffer.from(bytes))).toEqual(cleaned)
  })

  test('one that is cut off anywhere is refused, or is whole', () => {
    const whole = make(size)
    for (let length = 0; length < whole.length; length += 1) {
      const cut = cleanHere({ bytes: whole.subarray(0, length) })
      if ('refusal' in cut) expect(cut.refusal).toMatch(/^(The file is damaged|Only PNG)/)
      // A scan may end with the file, and what fills an odd length may be missing.
      else expect(length > whole.length - (mediaType === 'image/jpeg' ? 8 : 2)).toBe(true)
    }
  })

  test('any byte may be another one: it is refused or cleaned, and nothing breaks', () => {
    for (let at = 0; at < telling.length; at += 1) {
      const changed = Buffer.from(telling)
      changed[at] = 255 - (changed[at] ?? 0)
      expect(cleanHere({ bytes: changed })).toBeTruthy()
    }
  })
})

const TURNS = [1, 3, 6, 8].flatMap((orientation) => [
  ['JPEG', orientation, makeJpeg] as const,
  ['WebP', orientation, makeWebp] as const,
])
test.each(TURNS)(
  'a %s that is to be turned as %d says is, with nothing else said',
  async (_, orientation, make) => {
    const cleaned = await clean(make({ width: 40, height: 30, tells: true, orientation }))
    if ('refusal' in cleaned) throw new Error(cleaned.refusal)
    const isOnItsSide = orientation >= 5
    expect([cleaned.width, cleaned.height]).toEqual(isOnItsSide ? [30, 40] : [40, 30])
    const { exif = {} } = ExifReader.load(Buffer.from(cleaned.bytes), { expanded: true })
    expect(Object.keys(exif)).toEqual(orientation === 1 ? [] : ['Orientation'])
    if (orientation !== 1) expect(exif.Orientation?.value).toBe(orientation)
    expect(await clean(Buffer.from(cleaned.bytes))).toEqual(cleaned)
  },
)

test('a PDF stays as it is', async () => {
  const bytes = makePdf()
  const cleaned = await clean(bytes)
  expect(cleaned).toMatchObject({ mediaType: 'application/pdf', width: null, height: null })
  if ('refusal' in cleaned) throw new Error(cleaned.refusal)
  expect(Buffer.from(cleaned.bytes).equals(bytes)).toBe(true)
})

test.each([
  ['listed', false],
  ['packed', true],
])('a PDF may have 100 pages, with its objects %s', async (_, packed) => {
  expect(await clean(makePdf({ pages: 100, packed }))).toMatchObject({ mediaType: 'application/pdf' })
  const refusal = 'The PDF has 101 pages; at most 100 are allowed'
  expect(await clean(makePdf({ pages: 101, packed }))).toEqual({ refusal })
  // What is written behind a document in place of its former pages is what counts.
  const shorter = Buffer.from('2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n')
  const changed = Buffer.concat([
    makePdf({ pages: 101, packed }),
    shorter,
    Buffer.from('startxref\n9\n%%EOF\n'),
  ])
  expect(await clean(changed)).toMatchObject({ mediaType: 'application/pdf' })
})

test('a PDF whose pages can’t be counted is taken: vendors may read what is not told here', async () => {
  const bytes = Buffer.from(makePdf({ pages: 101 }).toString('latin1').replace('/Count', '/Kount'), 'latin1')
  expect(await clean(bytes)).toMatchObject({ mediaType: 'application/pdf' })
})

test('packed objects that would come to too much are not unpacked', async () => {
  const bomb = deflateSync(Buffer.alloc(40_000_000))
  const head = '9 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\n'
  const bytes = Buffer.concat([Buffer.from(`%PDF-1.5\n${head}`), bomb, makePdf({ pages: 101 })])
  expect(await clean(bytes)).toEqual({ refusal: expect.stringContaining('101 pages') })
})

const NEITHER = 'Only PNG, JPEG and WebP images and PDF documents are supported'
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

test.each<[string, Buffer, string | RegExp]>([
  ['an SVG', svg, NEITHER],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0', 'latin1'), NEITHER],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), NEITHER],
  ['a PDF behind a page', Buffer.concat([svg, makePdf()]), NEITHER],
  ['nothing', Buffer.alloc(0), NEITHER],
  [
    'a PDF that a password locks',
    makePdf({ encrypted: true }),
    'The PDF is encrypted. Save it without a password first.',
  ],
  ['half a PDF', makePdf().subarray(0, 200), /damaged/],
  ['a picture of 9,000 pixels a side', makeJpeg({ width: 9_000, height: 2 }), /^The picture is 9000 × 2; /],
  ['a picture without a size', makeJpeg({ width: 0, height: 2 }), 'The image has no size'],
])('%s is refused', async (_what, bytes, refusal) => {
  expect(await clean(bytes)).toEqual({
    refusal: typeof refusal === 'string' ? refusal : expect.stringMatching(refusal),
  })
})

test('a page that hides behind a picture does not outlive it', async () => {
  const cleaned = await clean(Buffer.concat([makePng(), svg]))
  if ('refusal' in cleaned) throw new Error(cleaned.refusal)
  expect(Buffer.from(cleaned.bytes).equals(makePng())).toBe(true)
})
