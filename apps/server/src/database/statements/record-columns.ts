import type { Attachment, Chain, ShareRole, Tag } from '@catenary/contracts'
import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { asciiKey } from '../schema/columns.ts'
import {
  categories,
  chainLabels,
  chains,
  chainTags,
  files,
  promptGroupShares,
  promptLabels,
  promptShares,
  prompts,
  promptTags,
  tags,
  users,
  variables,
  variableTags,
} from '../schema/index.ts'
import { keyOrderOf } from './name-keys.ts'
import { roleOf } from './visible-rows.ts'

export const promptColumns = {
  id: prompts.id,
  ownerId: prompts.ownerId,
  owner: users.displayUsername,
  slug: prompts.slug,
  title: prompts.title,
  content: prompts.content,
  settings: prompts.settings,
  categoryId: prompts.categoryId,
  category: categories.name,
  isActive: prompts.isActive,
  isPublic: prompts.isPublic,
  version: prompts.version,
  revision: prompts.revision,
  createdAt: prompts.createdAt,
  updatedAt: prompts.updatedAt,
}

export const promptTagList = tagListOf({ links: promptTags, linked: promptTags.promptId, id: prompts.id })

function labelListOf(labels: typeof promptLabels | typeof chainLabels, of: typeof prompts | typeof chains) {
  const list: SQL<Chain['labels']> = sql`coalesce((
    select json_agg(json_build_object('label', ${labels.label}, 'version', ${labels.version}) order by ${labels.label})
    from ${labels} where ${labels.recordId} = ${of.id}
  ), '[]')`
  return list
}

export const promptLabelList = labelListOf(promptLabels, prompts)
export const chainLabelList = labelListOf(chainLabels, chains)

/** With a person or with a group. */
export interface GivenRole {
  userId: number | null
  groupId: number | null
  role: ShareRole
}

const ofPrompt = (shares: typeof promptShares | typeof promptGroupShares) =>
  sql`from ${shares} where ${shares.recordId} = ${prompts.id}`

export const promptShareList = sql<GivenRole[]>`coalesce((
  select json_agg(given) from (
    select ${promptShares.userId} as "userId", null::integer as "groupId", ${promptShares.role} as role ${ofPrompt(promptShares)}
    union all select null, ${promptGroupShares.groupId}, ${promptGroupShares.role} ${ofPrompt(promptGroupShares)}
  ) as given
), '[]')`

export function promptShareColumns(viewerId: number | null | Placeholder) {
  return {
    isShared: sql<boolean>`(exists (select ${ofPrompt(promptShares)}) or exists (select ${ofPrompt(promptGroupShares)}))`,
    shareRole: roleOf('prompt', viewerId ?? undefined),
  }
}

export const chainColumns = {
  id: chains.id,
  ownerId: chains.ownerId,
  owner: users.displayUsername,
  name: chains.name,
  description: chains.description,
  sharedLevel: chains.sharedLevel,
  stopsWithoutValue: chains.stopsWithoutValue,
  stopsWhenCut: chains.stopsWhenCut,
  runsVisibleTo: chains.runsVisibleTo,
  visibilityEpoch: chains.visibilityEpoch,
  tags: tagListOf({ links: chainTags, linked: chainTags.chainId, id: chains.id }),
  revision: chains.revision,
  createdAt: chains.createdAt,
  updatedAt: chains.updatedAt,
}

const attachmentOf = sql<Attachment | null>`case when ${variables.type} in ('image', 'document') then (
  select json_build_object('fileId', ${files.id}, 'fileName', ${files.fileName}, 'mediaType', ${files.mediaType},
    'width', ${files.width}, 'height', ${files.height}, 'bytes', ${files.bytes})
  from ${files}
  where ${files.ownerId} = ${variables.ownerId} and ${files.key} = ${variables.content}
    and ${files.mediaType} is not null
) end`

export const variableColumns = {
  id: variables.id,
  ownerId: variables.ownerId,
  owner: users.displayUsername,
  ownerIsAdmin: sql<boolean>`${users.role} = 'admin'`,
  name: variables.name,
  type: variables.type,
  content: variables.content,
  attachment: attachmentOf,
  allowedValues: variables.allowedValues,
  apiUrl: variables.apiUrl,
  apiHeaders: variables.apiHeaders,
  googleDriveFileId: variables.googleDriveFileId,
  googleDriveFileName: variables.googleDriveFileName,
  googleDriveMimeType: variables.googleDriveMimeType,
  tags: tagListOf({ links: variableTags, linked: variableTags.variableId, id: variables.id }),
  cacheSeconds: variables.cacheSeconds,
  isPublic: variables.isPublic,
  revision: variables.revision,
  createdAt: variables.createdAt,
  updatedAt: variables.updatedAt,
}

export const lowerVariableName = asciiKey(variables.name)

export function toRecord<Row extends { createdAt: Date; updatedAt: Date }>({
  createdAt,
  updatedAt,
  ...rest
}: Row) {
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

function tagListOf({
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
