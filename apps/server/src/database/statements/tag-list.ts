import type { Tag } from '@catenary/contracts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type chainTags, type promptTags, tags, type variableTags } from '../schema/index.ts'
import { keyOrderOf } from './name-keys.ts'

export function tagListOf({
  links,
  linked,
  id,
}: {
  links: typeof chainTags | typeof promptTags | typeof variableTags
  linked: SQLWrapper
  id: SQLWrapper
}): SQL<Tag[]> {
  const list = sql`coalesce((
    select json_agg(json_build_object('id', ${tags.id}, 'name', ${tags.name}) order by ${keyOrderOf(tags)})
    from ${links} join ${tags} on ${tags.id} = ${links.tagId}
    where ${linked} = ${id}
  ), '[]')`
  // One within another: of a statement on one table Drizzle writes columns without it, and `id` were the tag's.
  return sql`${list}`
}
