import type { ImportFormat } from '@catenary/contracts'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at, belongsTo, createdAt, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { users } from './users.ts'

/** What a person brought from elsewhere in one call, with what of it has no place here. */
export const imports = pgTable(
  'imports',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    files: jsonb().$type<{ name: string; format: ImportFormat | null; hash: string }[]>().notNull(),
    /** `kept` is what stood at the place. */
    losses: jsonb().$type<{ at: string; reason: string; kept?: unknown }[]>().notNull(),
    /** Of files and losses, as they are counted. */
    bytes: integer().notNull(),
    createdAt: createdAt(),
    undoneAt: at(),
  },
  (t) => [index('imports_owner').on(t.ownerId, t.id)],
)

/** A prompt that an import made or gave a version, as it left it. */
export const importedPrompts = pgTable(
  'imported_prompts',
  {
    id: primaryId(),
    importId: belongsTo(() => imports.id),
    promptId: belongsTo(() => prompts.id),
    /** Of what the file had: the same comes as the same again, also when the prompt was edited since. */
    hash: text().notNull(),
    made: text().$type<'new' | 'version' | 'copy'>().notNull(),
    revision: integer().notNull(),
    version: integer().notNull(),
  },
  (t) => [
    index('imported_prompts_import').on(t.importId),
    index('imported_prompts_prompt').on(t.promptId),
    index('imported_prompts_hash').on(t.hash),
  ],
)
