import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { importZip, openExport } from './testing/open-export.ts'

describe.each(routeDatabaseKinds)('exports, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  test('export, import into an empty instance, export again: no byte differs', async () => {
    const { owner, createPrompt } = library
    await createPrompt(owner, { title: 'Refund', content: 'Answer $<customer>.\n---\n' })
    await createPrompt(owner, { title: 'Refund', content: 'Line\r\nends', temperature: 0.3, isActive: false })
    const first = await openExport(library, owner)
    const empty = await startLibrary(kind)
    const report = await importZip(empty, empty.owner, first)
    expect(report.losses).toEqual([])
    const second = await openExport(empty, empty.owner)
    expect(second.files).toEqual(first.files)
    expect(second.bytes.equals(first.bytes)).toBe(true)
    await empty.close()
  })
})
