import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/root.mjs'
import { type Added, refusedFiles } from './lib/with-toys.ts'

const NEW = {
  'packages/contracts/src/toys.ts': `
    import * as z from 'zod'
    import { idParams } from './common.ts'
    import { defineApi } from './endpoint.ts'
    import { listQuery } from './lists.ts'
    const toy = z.object({ id: z.int(), name: z.string() })
    export const toysApi = defineApi('toys', {
      'GET /api/toys': { who: 'user', summary: 'All', query: listQuery, list: toy },
      'GET /api/toys/{id}': { who: 'user', summary: 'One', params: idParams, reply: toy },
      'GET /api/toys/{id}/parts': { who: 'user', summary: 'Its parts', params: idParams, query: listQuery, list: toy },
      'DELETE /api/toys/{id}': { who: 'user', summary: 'Delete it', params: idParams, activity: { none: 'It is a toy.' } },
    })`,
  'apps/server/src/database/schema/toys.ts': `
    import { pgTable } from 'drizzle-orm/pg-core'
    import { belongsTo, primaryId } from './columns.ts'
    import { users } from './users.ts'
    export const toys = pgTable('toys', { id: primaryId(), ownerId: belongsTo(() => users.id) })`,
}
/** What CONTRIBUTING begins with: a noun that people create without end, as the contract and the schema have it. */
const BEGUN: Added = {
  'packages/contracts/src/api.ts': [
    ["import { usageApi } from './usage.ts'", "import { toysApi } from './toys.ts'"],
    ['  usageApi,', '  toysApi,'],
  ],
  'packages/contracts/src/installation/quotas.ts': [
    ["  prompts: { usual: 10_000, unit: 'prompts' },", "  toys: { usual: 10, unit: 'toys' },"],
  ],
  'apps/server/src/database/schema/index.ts': [["export * from './usages.ts'", "export * from './toys.ts'"]],
}
/** The rows that the compiler then asks for. */
const ASKED: Added = {
  'apps/server/src/database/schema/usages.ts': [['  prompts: counter(),', '  toys: counter(),']],
  'apps/server/src/database/schema/table-records.ts': [['  usages: deleted,', '  toys: deleted,']],
  'apps/server/src/keeping/deletions/deleted-kinds.test.ts': [
    ["  'DELETE /mcp': 'a session of the protocol',", "  'DELETE /api/toys/{id}': 'a toy',"],
  ],
  'apps/server/src/testing/full-library.ts': [['    webhooks,', '    toys: 1,']],
  'apps/server/src/platform/http/reply-sizes.slow.test.ts': [
    ["  'GET /api/webhooks': 'fixed',", "  'GET /api/toys/{id}': 'whole',"],
  ],
  'apps/server/src/features/spending/quotas.test.ts': [
    ['    prompts: async (as) => () => newPrompt(as),', '    toys: async (as) => () => newPrompt(as),'],
  ],
}

test('a noun that forgets a row of what walks every noun does not compile, and CONTRIBUTING names the places', () => {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const file of Object.keys(ASKED)) expect(guide).toContain(basename(file))
  expect(Object.keys(NEW).filter((file) => existsSync(join(root, file)))).toEqual([])
  expect(refusedFiles({ files: NEW, added: [BEGUN] })).toEqual(expect.arrayContaining(Object.keys(ASKED)))
  expect(refusedFiles({ files: NEW, added: [BEGUN, ASKED] })).toEqual([])
}, 600_000)
