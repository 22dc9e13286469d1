import {
  MAX_ID,
  type SaveVariableRequest,
  type User,
  type ValueOrigin,
  type Variable,
  type VariableContent,
} from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../platform/errors.ts'
import type { TagsService } from '../tags/tags.service.ts'
import { variableContentOf, variablePreviewOf } from './variable-text.ts'
import { canChangeVariable, canSeeVariable } from './variables.policy.ts'
import {
  createVariable,
  deleteVariable,
  findOptionalVariable,
  findVariable,
  listVariables,
  lockOptionalVariable,
  prepareListVariablesByNames,
  replaceVariableTags,
  updateVariable,
  type VariableRecord,
} from './variables.repository.ts'

export type VariablesService = ReturnType<typeof createVariablesService>

interface Change {
  id: number
  user: User
  /** The revision that the person saw; absent for 'whatever it is'. */
  revision?: number | undefined
}

type VariableFields = Omit<SaveVariableRequest, 'revision'>

/** What a reference stands for, and where that came from. */
export interface ResolvedVariable {
  /** With `origin.error`, the placeholder that stands in its place. */
  value: string
  origin: ValueOrigin
}

interface ResolveRequest {
  names: string[]
  user: User
  /** Aborted: what is still fetched then fails, at once. */
  signal?: AbortSignal | undefined
}

export function createVariablesService({
  db,
  tags,
}: {
  db: Database
  tags: Pick<TagsService, 'requireAll'>
}) {
  const listVariablesByNames = prepareListVariablesByNames(db)

  /** The variable, locked for the transaction; throws unless the user may change the state that they saw. */
  async function openForChange(tx: Transaction, { id, user, revision }: Change): Promise<VariableRecord> {
    const variable = requireVisible(await lockOptionalVariable(tx, id), user)
    if (!canChangeVariable(user, variable))
      throw new AppError('forbidden', 'You may not change this variable')
    if (revision !== undefined && revision !== variable.revision) {
      const details = toVariable(variable, user)
      throw new AppError('conflict', 'This variable was changed since you opened it', { details })
    }
    return variable
  }

  async function findOptionalById({ id, user }: { id: number; user: User | null }) {
    if (id > MAX_ID) return undefined
    const found = await findOptionalVariable(db, id)
    return found !== undefined && canSeeVariable(user, found) ? found : undefined
  }

  async function findOptionalByName({ name, user }: { name: string; user: User | null }) {
    const [found] = await listVariablesByNames({ viewerId: user?.id, names: [name] })
    return found && findOptionalVariable(db, found.id)
  }

  return {
    /** What the viewer can see, by name; with tag ids only those with any of the tags (D19). */
    async list({
      viewer,
      tagIds,
    }: {
      viewer: User | null
      tagIds?: number[] | undefined
    }): Promise<Variable[]> {
      const records = await listVariables(db, { viewerId: viewer?.id, tagIds })
      return records.map((record) => toVariable(record, viewer))
    },

    /** Throws `conflict` when the owner has a variable of that name without regard to case. */
    create({ fields, user }: { fields: VariableFields; user: User }): Promise<Variable> {
      return db.transaction(async (tx) => {
        const { tagIds = [], ...columns } = textOnly(fields)
        await tags.requireAll(tx, { kind: 'variable', ids: tagIds })
        const variableId = await createVariable(tx, { ...columns, ownerId: user.id })
        if (variableId === undefined) throw nameTaken(columns.name)
        await replaceVariableTags(tx, { variableId, tagIds })
        return toVariable(await findVariable(tx, variableId), user)
      })
    },

    /** An absent optional field stays as it is. Throws `conflict`: stale (with the current variable) or name taken. */
    save({ fields, ...change }: Change & { fields: VariableFields }): Promise<Variable> {
      return db.transaction(async (tx) => {
        const { id } = await openForChange(tx, change)
        const { tagIds, ...columns } = textOnly(fields)
        await tags.requireAll(tx, { kind: 'variable', ids: tagIds ?? [] })
        const saved = await updateVariable(tx, { id, ...columns })
        if (!saved) throw nameTaken(columns.name)
        if (tagIds !== undefined) await replaceVariableTags(tx, { variableId: id, tagIds })
        return toVariable(await findVariable(tx, id), change.user)
      })
    },

    delete(change: Change): Promise<void> {
      return db.transaction(async (tx) => {
        const variable = await openForChange(tx, change)
        await deleteVariable(tx, variable.id)
      })
    },

    async preview({ id, user }: { id: number; user: User | null }): Promise<string> {
      return variablePreviewOf(requireVisible(await findOptionalVariable(db, id), user))
    },

    /** Digits are an id first, else a name (D23). */
    async content({ idOrName, user }: { idOrName: string; user: User | null }): Promise<VariableContent> {
      const isDigits = /^[0-9]+$/.test(idOrName)
      const byId = isDigits ? await findOptionalById({ id: Number(idOrName), user }) : undefined
      const variable = byId ?? (await findOptionalByName({ name: idOrName, user }))
      if (variable === undefined)
        throw new AppError('not_found', `Variable ${idOrName} not defined in system`)
      return variableContentOf(variable)
    },

    /** The value of each name that means a variable which the user can see (D22); others are absent and stay as they are. */
    async resolve({ names, user }: ResolveRequest): Promise<Map<string, ResolvedVariable>> {
      const resolved = new Map<string, ResolvedVariable>()
      if (names.length === 0) return resolved
      const records = await listVariablesByNames({ viewerId: user.id, names })
      const byName = new Map(records.map((record) => [record.name.toLowerCase(), record]))
      const at = new Date().toISOString()
      for (const name of names) {
        const meant = byName.get(name.toLowerCase())
        if (meant === undefined) continue
        const { id: variableId, type, revision, content } = meant
        const origin = { type, variableId, revision, source: null, at, cachedAt: null }
        const error = 'It can not be fetched yet'
        resolved.set(
          name,
          type === 'text'
            ? { value: content, origin: { ...origin, error: null } }
            : { value: `Error loading content: ${error}`, origin: { ...origin, error } },
        )
      }
      return resolved
    },
  }
}

/** The fields of a text variable; what belongs to other types is emptied. */
function textOnly({ name, type, content, isPublic, tagIds }: VariableFields) {
  if (type !== 'text') {
    const message = `Variables of type ${type} can't be saved yet. Use type text.`
    throw new AppError('invalid', message, { details: [{ path: 'type', message }] })
  }
  const emptied = {
    apiUrl: '',
    apiHeaders: {},
    googleDriveFileId: '',
    googleDriveFileName: '',
    googleDriveMimeType: '',
  }
  return { ...emptied, name, type, content, isPublic, tagIds }
}

function toVariable({ ownerId, apiHeaders, ...shown }: VariableRecord, viewer: User | null): Variable {
  const canChange = canChangeVariable(viewer, { ownerId, isPublic: shown.isPublic })
  // Names only (D24).
  const headerNames = Object.fromEntries(Object.keys(apiHeaders).map((name) => [name, '']))
  return { ...shown, apiHeaders: headerNames, canEdit: canChange, canDelete: canChange }
}

function requireVisible(variable: VariableRecord | undefined, viewer: User | null): VariableRecord {
  if (variable === undefined || !canSeeVariable(viewer, variable)) {
    throw new AppError('not_found', 'Variable not found')
  }
  return variable
}

function nameTaken(name: string): AppError {
  return new AppError('conflict', `There is already a variable named ${name}`)
}
