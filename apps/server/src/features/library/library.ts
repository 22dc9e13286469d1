import { categoriesApi, tagsApi, taxonomyApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { createCategory, listCategories } from './categories.ts'
import { createTag, findTag, listTags } from './tags.ts'
import { deleteEntry, listEntries, mergeEntry, renameEntry } from './tidy-library.ts'

export {
  categoryIdOf,
  createInitialCategories,
  promptTallies,
  requireCategory,
} from './categories.ts'
export { replaceTags } from './library.sql.ts'
export { claimSlug, findIdBySlug, giveSlugs, notOwnSlug, requireIdBySlug } from './slugs.ts'
export { keepTagKeys, requireTags, tagIdsOf } from './tags.ts'

export const serveCategories = handlers(categoriesApi, {
  'GET /api/categories': listCategories,
  'POST /api/categories': (ctx, { body: { name }, user }) => createCategory(ctx, { name, user }),
})

export const serveTags = handlers(tagsApi, {
  'GET /api/tags': (ctx, { query }) => listTags(ctx, { kind: 'prompt', query }),
  'GET /api/tags/search': (ctx, { query }) => findTag(ctx, { kind: 'prompt', ...query }),
  'POST /api/tags': (ctx, { body, user }) => createTag(ctx, { kind: 'prompt', ...body, user }),
  'GET /api/variables/tags': (ctx, { query }) => listTags(ctx, { kind: 'variable', query }),
  'GET /api/variables/tags/search': (ctx, { query }) => findTag(ctx, { kind: 'variable', ...query }),
  'POST /api/variables/tags': (ctx, { body, user }) => createTag(ctx, { kind: 'variable', ...body, user }),
  'GET /api/chain-tags': (ctx, { query }) => listTags(ctx, { kind: 'chain', query }),
  'GET /api/chain-tags/search': (ctx, { query }) => findTag(ctx, { kind: 'chain', ...query }),
  'POST /api/chain-tags': (ctx, { body, user }) => createTag(ctx, { kind: 'chain', ...body, user }),
  'GET /api/chains/tags': (ctx, { query }) => listTags(ctx, { kind: 'chain', query }),
})

export const serveTaxonomy = handlers(taxonomyApi, {
  'GET /api/admin/labels/{kind}': (ctx, { params, query }) => listEntries(ctx, { ...params, query }),
  'PATCH /api/admin/labels/{kind}/{id}': (ctx, { params, body }) => renameEntry(ctx, { ...params, ...body }),
  'DELETE /api/admin/labels/{kind}/{id}': (ctx, { params }) => deleteEntry(ctx, params),
  'POST /api/admin/labels/{kind}/{id}/merge': (ctx, { params, body }) =>
    mergeEntry(ctx, { ...params, ...body }),
})
