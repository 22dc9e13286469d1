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

  test('what it says of place, device and person is left out; its pixels stay', async () => {
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

test.each([1, 3, 6, 8])(
  'a photograph that is to be turned as %d says is, with nothing else said',
  async (orientation) => {
    const cleaned = await clean(makeJpeg({ width: 40, height: 30, tells: true, orientation }))
    if ('refusal' in cleaned) throw new Error(cleaned.refusal)
    const isOnItsSide = orientation >= 5
    expect([cleaned.width, cleaned.height]).toEqual(isOnItsSide ? [30, 40] : [40, 30])
    const { exif = {} } = ExifReader.load(Buffer.from(cleaned.bytes), { expanded: true })
    expect(Object.keys(exif)).toEqual(orientation === 1 ? [] : ['Orientation'])
    if (orientation !== 1) expect(exif.Orientation?.value).toBe(orientation)
  },
)

test('a PDF stays as it is', async () => {
  const bytes = makePdf()
  const cleaned = await clean(bytes)
  expect(cleaned).toMatchObject({ mediaType: 'application/pdf', width: null, height: null })
  if ('refusal' in cleaned) throw new Error(cleaned.refusal)
  expect(Buffer.from(cleaned.bytes).equals(bytes)).toBe(true)
})

const NEITHER = 'Only PNG, JPEG and WebP images and PDF documents are taken, and this is none of them'
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
  ['a picture of 9,000 pixels a side', makeJpeg({ width: 9_000, height: 2 }), /^The picture is 9000 × 2: /],
  ['a picture without a size', makeJpeg({ width: 0, height: 2 }), 'The picture has no size'],
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
