import {
  ALLOWED_VALUE_REFUSED,
  allowsValue,
  type SaveVariableRequest,
  type User,
  type Variable,
} from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { refuseClip } from '../../list-page.ts'
import { type Change, createRecordAccess } from '../../record-access.ts'
import type { FilesService } from '../files/files.ts'
import { forgetName } from '../fills/fills.ts'
import { requireTags } from '../library/library.ts'
import { type AllowedValuesDeps, createAllowedValues } from './allowed-values.service.ts'
import { fileTypeOf, requireFile, requireOwnSources } from './own-sources.service.ts'
import { columnsOf, type VariableFields } from './variable-columns.ts'
import { deleteFetch } from './variable-fetches.repository.ts'
import type { HeaderVault } from './variable-headers.ts'
import { createVariableLists } from './variable-lists.service.ts'
import type { VariableRecord } from './variable-record.ts'
import { createVariableUsage, type VariableUsageDeps } from './variable-usage.service.ts'
import { showVariable } from './variable-views.ts'
import { canChangeVariable, canSeeVariable } from './variables.policy.ts'
import {
  createVariable,
  deleteVariable,
  findOptionalVariable,
  findVariable,
  lockOptionalVariable,
  replaceVariableTags,
  saveNewVariableHeaders,
  updateVariable,
} from './variables.repository.ts'

export type VariablesService = ReturnType<typeof createVariablesService>

type Save = Change & Pick<SaveVariableRequest, 'renameReferences'> & { fields: VariableFields }

export interface VariablesDeps extends VariableUsageDeps, AllowedValuesDeps {
  files: Pick<FilesService, 'hold'>
  headers: HeaderVault
}

/** Variables: access and usage. */
export function createVariablesService(deps: VariablesDeps) {
  const { db, files, headers, prompts, chains } = deps
  const usage = createVariableUsage({ db, prompts, chains })
  const { countUsage, findUsage } = usage

  const toVariable = (record: VariableRecord, viewer: User | null) =>
    showVariable({ headers, record, viewer })

  const { requireVisible, openForChange } = createRecordAccess<VariableRecord, Transaction>({
    noun: 'variable',
    canSee: canSeeVariable,
    canChange: canChangeVariable,
    lock: (tx, { id }) => lockOptionalVariable(tx, id),
    show: (_tx, { stored, viewer }) => toVariable(stored, viewer),
  })

  return {
    ...createAllowedValues(deps),
    countUsage,
    findUsage,

    ...createVariableLists({ db, toVariable }),

    /** Throws `not_found` for a variable that the viewer can't see. */
    async find({ id, user }: { id: number; user: User | null }): Promise<Variable> {
      return toVariable(requireVisible(await findOptionalVariable(db, id), user), user)
    },

    /** In the caller's transaction; undefined when the owner has a variable of that name without regard to case. */
    createIn: (tx: Transaction, wanted: NewVariable) => createIn(deps, tx, wanted),

    /** Throws `conflict` when the owner has a variable of that name without regard to case. */
    create(wanted: NewVariable): Promise<Variable> {
      return db.transaction(async (tx) => {
        const created = await createIn(deps, tx, wanted)
        if (created === undefined) throw nameTaken(wanted.fields.name)
        return created
      })
    },

    /** An absent optional field stays as it is. Throws `conflict`: stale (with the current variable) or name taken. */
    save({ fields, renameReferences = false, ...change }: Save): Promise<Variable> {
      return db.transaction(async (tx) => {
        const { user } = change
        const stored = await openForChange(tx, change)
        const { id, name: from } = stored
        const { tagIds } = fields
        await requireTags({ db: tx }, { kind: 'variable', ids: tagIds ?? [] })
        const columns = columnsOf({ fields, stored })
        requireAllowedContent(columns)
        const { content } = stored
        refuseClip({ text: columns.content, stored: content, details: () => toVariable(stored, user) })
        await requireOwnSources({ files }, tx, { stored, columns, user })
        const isRenamed = renameReferences && columns.name !== from
        const wasMeant = isRenamed && (await usage.isMeant(tx, { id, name: from, user }))
        const apiHeaders =
          columns.type === 'api'
            ? headers.change({
                from: { variableId: id, apiUrl: stored.apiUrl },
                to: { variableId: id, apiUrl: columns.apiUrl },
                sealed: stored.apiHeaders,
                given: fields.apiHeaders,
              })
            : {}
        const isSaved = await updateVariable(tx, { id, ...columns, apiHeaders })
        if (!isSaved) throw nameTaken(columns.name)
        await deleteFetch(tx, id)
        if (columns.name.toLowerCase() !== from.toLowerCase())
          await forgetName(tx, { userId: stored.ownerId, name: from })
        if (wasMeant) await usage.renameReferences(tx, { id, from, to: columns.name, user })
        if (tagIds !== undefined) await replaceVariableTags(tx, { variableId: id, tagIds })
        return toVariable(await findVariable(tx, id), user)
      })
    },

    /** In the caller's transaction; the caller has checked the person's rights. */
    deleteIn,

    delete(change: Change): Promise<void> {
      return db.transaction(async (tx) => {
        const variable = await openForChange(tx, change)
        await deleteIn(tx, variable.id)
      })
    },
  }
}

async function deleteIn(tx: Transaction, id: number): Promise<void> {
  const deleted = await deleteVariable(tx, id)
  if (deleted !== undefined) await forgetName(tx, { userId: deleted.ownerId, name: deleted.name })
}

interface NewVariable {
  fields: VariableFields
  user: User
}

async function createIn(
  { files, headers }: VariablesDeps,
  tx: Transaction,
  { fields, user }: NewVariable,
): Promise<Variable | undefined> {
  const { tagIds = [], apiHeaders: given = {} } = fields
  await requireTags({ db: tx }, { kind: 'variable', ids: tagIds })
  const columns = columnsOf({ fields })
  requireAllowedContent(columns)
  const { type, content: key, apiUrl } = columns
  const fileType = fileTypeOf(columns)
  if (fileType !== undefined)
    await requireFile({ files }, tx, { key, type: fileType, ownerId: user.id, user })
  const variableId = await createVariable(tx, { ...columns, ownerId: user.id })
  if (variableId === undefined) return undefined
  if (type === 'api' && Object.keys(given).length > 0) {
    const apiHeaders = headers.seal({ place: { variableId, apiUrl }, given })
    await saveNewVariableHeaders(tx, { id: variableId, apiHeaders })
  }
  await replaceVariableTags(tx, { variableId, tagIds })
  return showVariable({ headers, record: await findVariable(tx, variableId), viewer: user })
}

/** A part of the two may have been saved before the other. */
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
