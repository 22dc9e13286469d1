import type { DriveFileList } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DriveApp, startDrive } from '../../testing/fake-google/start-drive.ts'
import type { TestUser } from '../../testing/harness.ts'

const DOCUMENT = 'application/vnd.google-apps.document'
const SHEET = 'application/vnd.google-apps.spreadsheet'
const SLIDES = 'application/vnd.google-apps.presentation'
const never = new AbortController().signal

describe('files of a Google Drive', () => {
  let app: DriveApp
  let ada: TestUser
  let bob: TestUser
  beforeAll(async () => {
    app = await startDrive()
    ada = await app.registerUser()
    bob = await app.registerUser()
    await app.connect(ada)
    const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}T08:00:00.000Z`
    app.fake.addFiles(
      { id: 'doc-1', name: 'Terms of service', mimeType: DOCUMENT, content: 'Be kind.\r\nPay.' },
      { id: 'sheet-1', name: 'Prices', mimeType: SHEET, content: 'name,price\nPen,2', modifiedTime: day(3) },
      { id: 'deck-1', name: 'Launch', mimeType: SLIDES, content: 'Slide one', modifiedTime: day(2) },
      {
        id: 'md-1',
        name: 'Terms – draft.md',
        mimeType: 'text/markdown',
        content: '# Größe',
        modifiedTime: day(4),
      },
      {
        id: 'json-1',
        name: "Ada's \\ 'notes'.json",
        mimeType: 'application/json',
        content: '{}',
        modifiedTime: day(1),
      },
      {
        id: 'pdf-1',
        name: 'Terms.pdf',
        mimeType: 'application/pdf',
        content: Buffer.from([0x25, 0x50, 0, 0xff]),
      },
      { id: 'latin-1', name: 'Old.txt', mimeType: 'text/plain', content: Buffer.from('Größe', 'latin1') },
      { id: 'nul-1', name: 'Nul.txt', mimeType: 'text/plain', content: 'a\0b' },
      { id: 'form-1', name: 'Survey', mimeType: 'application/vnd.google-apps.form' },
      { id: 'folder-1', name: 'Terms folder', mimeType: 'application/vnd.google-apps.folder' },
      { id: 'gone-1', name: 'Terms gone', mimeType: DOCUMENT, trashed: true },
      { id: 'big-1', name: 'Big.txt', mimeType: 'text/plain', content: 'x'.repeat(1_048_577) },
      { id: 'full-1', name: 'Full.txt', mimeType: 'text/plain', content: 'x'.repeat(1_048_576) },
      { id: 'book-1', name: 'Book', mimeType: DOCUMENT, content: 'x'.repeat(1_048_576) },
      { id: 'huge-1', name: 'Huge book', mimeType: DOCUMENT, content: 'x'.repeat(11 * 1024 * 1024) },
    )
  })
  afterAll(() => app.close())

  const list = (query: Record<string, string> = {}, as: TestUser | undefined = ada) =>
    app.request({ url: `/api/google-drive/files?${new URLSearchParams(query)}`, as })
  const names = async (query: Record<string, string>) =>
    ((await list(query)).body as DriveFileList).files.map(({ name }) => name)
  const read = (fileId: string, ownerId = ada.user.id, signal = never) =>
    app.readDriveFile({ ownerId, fileId, signal })

  test('those that hold text are listed, the latest first, with what the picker posts', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    const { files, nextPageToken } = body as DriveFileList
    expect(nextPageToken).toBeNull()
    expect(files.slice(0, 5).map(({ name }) => name)).toEqual([
      'Terms – draft.md',
      'Prices',
      'Launch',
      "Ada's \\ 'notes'.json",
      'Terms of service',
    ])
    expect(files[1]).toEqual({
      id: 'sheet-1',
      name: 'Prices',
      mimeType: SHEET,
      modifiedAt: '2026-10-03T08:00:00.000Z',
    })
    const found = files.map(({ id }) => id)
    for (const id of ['pdf-1', 'form-1', 'folder-1', 'gone-1']) expect(found).not.toContain(id)
  })

  test('a search finds the beginnings of words of names, all of them', async () => {
    expect(await names({ search: 'terms' })).toEqual(['Terms – draft.md', 'Terms of service'])
    expect(await names({ search: '  TERMS   serv ' })).toEqual(['Terms of service'])
    expect(await names({ search: 'erms' })).toEqual([])
  })

  test.each([
    ["Ada's", ["Ada's \\ 'notes'.json"]],
    ["\\ 'notes", ["Ada's \\ 'notes'.json"]],
    ["x' or name contains 'Terms", []],
    ["x') or trashed = true or (name contains 'Terms", []],
    ["\\' or '1' = '1", []],
    ['\\', ["Ada's \\ 'notes'.json"]],
    ["'", ["Ada's \\ 'notes'.json"]],
    ['Größe 🙂 %00 %27', []],
  ])('the search %s means those letters, and stays a search', async (search, expected) => {
    expect(await names({ search })).toEqual(expected)
    expect(app.fake.journal.at(-1)?.query.q).toMatch(/^trashed = false and \(mimeType = /)
  })

  test('pages follow one another to the last', async () => {
    const files = Array.from({ length: 65 }, (_, index) => index)
    const pageFiles = files.map((n) => ({ id: `page-${n}`, name: `Paged ${n}`, mimeType: 'text/plain' }))
    app.fake.addFiles(...pageFiles)
    const seen: string[] = []
    const sizes: number[] = []
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      const page = (await list({ search: 'paged', ...(pageToken && { pageToken }) })).body as DriveFileList
      seen.push(...page.files.map(({ id }) => id))
      sizes.push(page.files.length)
      pageToken = page.nextPageToken
    }
    expect(sizes).toEqual([30, 30, 5])
    expect(new Set(seen).size).toBe(65)
  })

  test.each([
    ['made-up', 'Google Drive rejected this request as invalid'],
    ['../../about?fields=*', 'Google Drive rejected this request as invalid'],
    ['~!!~&q=trashed%3Dtrue', 'Google Drive rejected this request as invalid'],
    ['', expect.any(String)],
    ['x'.repeat(4001), expect.any(String)],
    ['a\0b', 'Text must not contain NUL bytes'],
  ])('the page token %s is refused', async (pageToken, error) => {
    expect(await list({ pageToken })).toMatchObject({ status: 400, body: { error } })
  })

  test('a guest lists nothing, nor does someone who has not connected Drive', async () => {
    expect(await app.request({ url: '/api/google-drive/files' })).toMatchObject({ status: 401 })
    expect(await list({}, bob)).toMatchObject({
      status: 409,
      body: {
        error: 'Google Drive is not connected. Connect it, then try again.',
        details: { googleDrive: 'not_connected' },
      },
    })
    await expect(read('doc-1', bob.user.id)).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each([
    ['doc-1', { name: 'Terms of service', text: 'Be kind.\r\nPay.' }],
    ['sheet-1', { name: 'Prices', text: 'name,price\nPen,2' }],
    ['deck-1', { name: 'Launch', text: 'Slide one' }],
    ['md-1', { name: 'Terms – draft.md', text: '# Größe' }],
  ])(
    'Google’s own documents are exported as text, other text files read as they are. (%s)',
    async (id, expected) => {
      expect(await read(id)).toEqual(expected)
    },
  )

  test('a variable gives its file’s text to who may see it, as its owner reads it', async () => {
    const file = {
      googleDriveFileId: 'md-1',
      googleDriveFileName: 'Terms',
      googleDriveMimeType: 'text/markdown',
    }
    const body = { name: 'terms', type: 'googleDrive', isPublic: true, ...file }
    const made = await app.request({ method: 'POST', url: '/api/variables', body, as: ada })
    const { id } = made.body as { id: number }
    const content = async () => (await app.request({ url: `/api/variables/${id}/content`, as: bob })).body
    expect(await content()).toEqual({ content: '# Größe' })
    app.fake.fail({ on: 'drive', status: 404 })
    expect(await content()).toEqual({
      error: expect.stringContaining('This file is not in your Google Drive'),
    })
  })

  test('A text of Google Drive has up to 1 MiB of UTF-8.', async () => {
    expect((await read('full-1')).text).toHaveLength(1_048_576)
  })

  test.each([
    ['pdf-1', 'invalid', '‘Terms.pdf’ is not text. Choose a document or a text file.'],
    ['latin-1', 'invalid', '‘Old.txt’ is not text. Choose a document or a text file.'],
    ['nul-1', 'invalid', '‘Nul.txt’ is not text. Choose a document or a text file.'],
    ['form-1', 'invalid', '‘Survey’ is not text. Choose a document or a text file.'],
    ['folder-1', 'invalid', '‘Terms folder’ is not text. Choose a document or a text file.'],
    ['big-1', 'too_large', '‘Big.txt’ is larger than 1 MiB'],
    // With its byte-order mark.
    ['book-1', 'too_large', '‘Book’ is larger than 1 MiB'],
    ['huge-1', 'too_large', 'The file is too large to read'],
    ['absent', 'not_found', 'This file is not in your Google Drive'],
  ])('%s is refused: %s', async (id, code, message) => {
    await expect(read(id)).rejects.toMatchObject({ code, message })
  })

  test.each([
    '',
    '..',
    '../about',
    'a/export',
    'doc-1?alt=media',
    'doc-1#',
    '%2e%2e',
    'ä',
    'a\nb',
    'x'.repeat(201),
  ])('no call is made for the id %j', async (id) => {
    const before = app.fake.journal.length
    await expect(read(id)).rejects.toMatchObject({ code: 'invalid' })
    expect(app.fake.journal.length).toBe(before)
  })

  test.each([
    [{ status: 403, reason: 'insufficientFilePermissions' }, 'forbidden', 'does not let you read'],
    [{ status: 403, reason: 'userRateLimitExceeded' }, 'upstream', 'asked too often'],
    [{ status: 429, reason: 'rateLimitExceeded' }, 'upstream', 'asked too often'],
    [{ status: 500 }, 'upstream', 'it answered 500'],
    [{ body: '{"name":' }, 'upstream', 'sent an unexpected answer'],
    [{ body: '[]' }, 'upstream', 'sent an unexpected answer'],
    [{ status: 302, body: 'elsewhere' }, 'upstream', 'it answered 302'],
  ])('a fault of Google’s is told as one: %j', async (fault, code, message) => {
    app.fake.fail({ on: 'drive', ...fault })
    await expect(read('doc-1')).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
    expect((await read('doc-1')).name).toBe('Terms of service')
  })

  test('a Google that is not there is a fault of Google’s, and of the list 502', async () => {
    app.fake.fail({ on: 'drive', status: 503 })
    expect(await list()).toMatchObject({ status: 502, body: { error: expect.stringContaining('503') } })
  })

  test('a caller who stops waiting gets their own reason, at once', async () => {
    app.fake.fail({ on: 'drive', until: new Promise(() => {}) })
    const stop = new AbortController()
    const reading = read('doc-1', ada.user.id, stop.signal)
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(reading).rejects.toThrow('enough')
  })
})
