import {
  ALLOWED_VALUE_REFUSED,
  allowsValue,
  type SaveVariableRequest,
  type User,
  type Variable,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { refuseClip } from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { holdFile } from '../files/files.ts'
import { forgetName } from '../fills/fills.ts'
import { replaceTags, requireTags } from '../library/library.ts'
import type { Change } from '../records/records.ts'
import { openForChange, showVariable } from './read-variables.ts'
import { changeHeaders, sealHeaders } from './variable-headers.ts'
import { isMeant, renameReferences } from './variable-usage.ts'
import {
  deleteFetch,
  deleteVariableRow,
  getVariable,
  insertVariable,
  saveNewVariableHeaders,
  updateVariableRow,
  type VariableRecord,
} from './variables.sql.ts'

type VariableFields = Omit<SaveVariableRequest, 'revision' | 'renameReferences'>

export interface NewVariable {
  fields: VariableFields
  user: User
}

export async function createVariable(ctx: Context, wanted: NewVariable): Promise<Variable> {
  const created = await createVariableIfNameIsFree(ctx, wanted)
  if (created === undefined) throw nameTaken(wanted.fields.name)
  return created
}

/** Undefined when the owner has a variable of that name, ignoring case. */
export function createVariableIfNameIsFree(
  ctx: Context,
  { fields, user }: NewVariable,
): Promise<Variable | undefined> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { tagIds = [], apiHeaders: given = {} } = fields
    await requireTags(ctx, { kind: 'variable', ids: tagIds })
    const columns = columnsOf({ fields })
    requireAllowedContent(columns)
    const { type, content: key, apiUrl } = columns
    const fileType = fileTypeOf(columns)
    if (fileType !== undefined) await requireFile(ctx, { key, type: fileType, ownerId: user.id, user })
    const variableId = await insertVariable(db, { ...columns, ownerId: user.id })
    if (variableId === undefined) return undefined
    if (type === 'api' && Object.keys(given).length > 0) {
      const apiHeaders = sealHeaders(ctx, { place: { variableId, apiUrl }, given })
      await saveNewVariableHeaders(db, { id: variableId, apiHeaders })
    }
    await replaceTags(db, { kind: 'variable', id: variableId, tagIds })
    await recordActivity(ctx, { kind: 'variable.created', object: 'variable', id: variableId })
    return showVariable(ctx, { record: await getVariable(db, variableId), user })
  })
}

type Save = Change & Pick<SaveVariableRequest, 'renameReferences'> & { fields: VariableFields }

/** An absent optional field stays as it is. Throws `conflict`: stale (with the current variable) or name taken. */
export function saveVariable(
  ctx: Context,
  { fields, renameReferences: renames = false, ...change }: Save,
): Promise<Variable> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { user } = change
    const stored = await openForChange(ctx, change)
    const { id, name: from } = stored
    const { tagIds } = fields
    await requireTags(ctx, { kind: 'variable', ids: tagIds ?? [] })
    const columns = columnsOf({ fields, stored })
    requireAllowedContent(columns)
    const details = () => showVariable(ctx, { record: stored, user })
    refuseClip({ text: columns.content, stored: stored.content, details })
    await requireOwnSources(ctx, { stored, columns, user })
    const isRenamed = renames && columns.name !== from
    const wasMeant = isRenamed && (await isMeant(ctx, { id, name: from, user }))
    const apiHeaders =
      columns.type === 'api'
        ? changeHeaders(ctx, {
            from: { variableId: id, apiUrl: stored.apiUrl },
            to: { variableId: id, apiUrl: columns.apiUrl },
            sealed: stored.apiHeaders,
            given: fields.apiHeaders,
          })
        : {}
    const isSaved = await updateVariableRow(db, { id, ...columns, apiHeaders })
    if (!isSaved) throw nameTaken(columns.name)
    await deleteFetch(db, id)
    if (columns.name.toLowerCase() !== from.toLowerCase())
      await forgetName(db, { userId: stored.ownerId, name: from })
    if (wasMeant) await renameReferences(ctx, { id, from, to: columns.name, user })
    if (tagIds !== undefined) await replaceTags(db, { kind: 'variable', id, tagIds })
    const { ownerId } = stored
    await recordActivity(ctx, { kind: 'variable.changed', object: 'variable', id, ownerId })
    return showVariable(ctx, { record: await getVariable(db, id), user })
  })
}

export function deleteVariable(ctx: Context, change: Change): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id, ownerId } = await openForChange(ctx, change)
    await deleteVariableUnasked(ctx, id)
    await recordActivity(ctx, { kind: 'variable.deleted', object: 'variable', id, ownerId })
  })
}

/** The caller has checked the person's rights. */
export async function deleteVariableUnasked({ db }: SqlContext<Transaction>, id: number): Promise<void> {
  const deleted = await deleteVariableRow(db, id)
  if (deleted !== undefined) await forgetName(db, { userId: deleted.ownerId, name: deleted.name })
}

function columnsOf({ fields, stored }: { fields: VariableFields; stored?: VariableRecord }) {
  const { apiHeaders: _, tagIds: __, ...given } = fields
  const { type } = given
  const kept = stored?.type === type ? stored : undefined
  const hasContent = type !== 'api' && type !== 'googleDrive'
  const isApi = type === 'api'
  const isDrive = type === 'googleDrive'
  const pick = <T>(isUsed: boolean, given: T | undefined, before: T | undefined, empty: T): T =>
    isUsed ? (given ?? before ?? empty) : empty
  return {
    ...given,
    content: pick(hasContent, given.content, kept?.content, ''),
    allowedValues: pick(type === 'text', given.allowedValues, kept?.allowedValues, []),
    apiUrl: pick(isApi, given.apiUrl, kept?.apiUrl, ''),
    googleDriveFileId: pick(isDrive, given.googleDriveFileId, kept?.googleDriveFileId, ''),
    googleDriveFileName: pick(isDrive, given.googleDriveFileName, kept?.googleDriveFileName, ''),
    googleDriveMimeType: pick(isDrive, given.googleDriveMimeType, kept?.googleDriveMimeType, ''),
    cacheSeconds: pick(isApi || isDrive, given.cacheSeconds, kept?.cacheSeconds, 0),
  }
}

const OF_FILES = ['file', 'image', 'document'] as const
const OF_KIND = { file: 'a text', image: 'an image', document: 'a PDF' }

function fileTypeOf({ type, content }: Pick<VariableRecord, 'type' | 'content'>) {
  return content === '' ? undefined : OF_FILES.find((one) => one === type)
}

/** Throws `invalid` for a key that the owner has not uploaded, or of another kind; another person's key is as absent. */
async function requireFile(
  ctx: SqlContext<Transaction>,
  { key, type, ownerId, user }: { key: string; type: (typeof OF_FILES)[number]; ownerId: number; user: User },
): Promise<void> {
  const held = ownerId === user.id ? await holdFile(ctx, { ownerId, key }) : undefined
  if (held === type) return
  throw fieldError(
    'content',
    held === undefined
      ? 'This file is not among your uploads. Upload it, then save the variable.'
      : `This file is ${OF_KIND[held]}, not ${OF_KIND[type]}.`,
  )
}

/** Only the owner may point a variable at another private source of theirs (D25, D26). */
async function requireOwnSources(
  ctx: SqlContext<Transaction>,
  { stored, columns, user }: { stored: VariableRecord; columns: ReturnType<typeof columnsOf>; user: User },
): Promise<void> {
  const { ownerId } = stored
  const { type, content: key, googleDriveFileId } = columns
  const isSameType = type === stored.type
  const fileType = fileTypeOf(columns)
  if (fileType !== undefined && !(isSameType && key === stored.content))
    await requireFile(ctx, { key, type: fileType, ownerId, user })
  const isNewDriveFile = !isSameType || googleDriveFileId !== stored.googleDriveFileId
  if (type === 'googleDrive' && isNewDriveFile && ownerId !== user.id)
    throw new AppError('forbidden', 'Only the variable’s owner may choose another Google Drive file')
}

/** Each of the two may have been saved first. */
function requireAllowedContent({
  allowedValues,
  content,
}: Pick<VariableRecord, 'allowedValues' | 'content'>) {
  if (allowsValue(allowedValues, content)) return
  throw fieldError('content', ALLOWED_VALUE_REFUSED)
}

function nameTaken(name: string): AppError {
  return new AppError('conflict', `There is already a variable named ${name}`)
}
