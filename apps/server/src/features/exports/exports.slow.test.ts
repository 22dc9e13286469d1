import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { databaseKinds } from '../../testing/database.ts'
import { startLibrary } from '../../testing/library.ts'
import { importZip, openExport } from './testing/open-export.ts'

const PROMPTS = 10_000
/** As much as one import takes. */
const AT_ONCE = 2_000

test.each(databaseKinds)(
  'Ten thousand prompts go round without another byte. (%s)',
  async (kind) => {
    const [full, empty] = [await startLibrary(kind), await startLibrary(kind)]
    await full.db.execute(sql`
    insert into prompts (owner_id, category_id, title, content)
    select ${full.owner.user.id}, ${full.categoryId}, 'Prompt ' || n, repeat('Text of $<name> ' || n || E'\n', 20)
    from generate_series(1, ${PROMPTS}::integer) n`)
    await full.db.execute(sql`
    insert into prompt_versions (prompt_id, number, title, content) select id, 1, title, content from prompts`)
    const first = await openExport(full, full.owner)
    const files = Object.entries(first.files)
    expect(files).toHaveLength(PROMPTS)
    for (let from = 0; from < files.length; from += AT_ONCE) {
      const part = Object.fromEntries(files.slice(from, from + AT_ONCE))
      expect((await importZip(empty, empty.owner, { files: part })).losses).toEqual([])
    }
    const second = await openExport(empty, empty.owner)
    expect(second.bytes.equals(first.bytes)).toBe(true)
    await Promise.all([full.close(), empty.close()])
  },
  600_000,
)
