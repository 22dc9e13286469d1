import type { NotRunItem, TestCase } from '@catenary/contracts'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { belongsTo, primaryId } from './columns.ts'
import { imports } from './prompts.ts'
import { testSuites } from './test-suites.ts'

type CaseBefore = Omit<TestCase, 'id' | 'position' | 'revision'>
interface SuiteBefore {
  name: string
  defaults: Pick<CaseBefore, 'values' | 'assertions' | 'threshold' | 'notRun'>
  cases: CaseBefore[]
  imported: NotRunItem[]
}

export const importedChains = pgTable(
  'imported_chains',
  {
    id: primaryId(),
    importId: belongsTo(() => imports.id),
    chainId: belongsTo(() => chains.id),
    made: text().$type<'new' | 'version' | 'copy'>().notNull(),
    revision: integer().notNull(),
    version: integer().notNull(),
  },
  (t) => [index('imported_chains_import').on(t.importId), index('imported_chains_chain').on(t.chainId)],
)

export const importedSuites = pgTable(
  'imported_suites',
  {
    id: primaryId(),
    importId: belongsTo(() => imports.id),
    suiteId: belongsTo(() => testSuites.id),
    made: text().$type<'new' | 'version' | 'copy'>().notNull(),
    revision: integer().notNull(),
    before: jsonb().$type<SuiteBefore>(),
  },
  (t) => [index('imported_suites_import').on(t.importId), index('imported_suites_suite').on(t.suiteId)],
)
