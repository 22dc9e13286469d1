import type { ViewPage } from '@catenary/contracts'
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { belongsTo, createdAt, primaryId } from './columns.ts'
import { users } from './users.ts'

export const views = pgTable(
  'views',
  {
    id: primaryId(),
    ownerId: belongsTo(() => users.id),
    page: text().$type<ViewPage>().notNull(),
    name: text().notNull(),
    nameKey: text().notNull(),
    query: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('views_name_key').on(t.ownerId, t.page, t.nameKey)],
)
