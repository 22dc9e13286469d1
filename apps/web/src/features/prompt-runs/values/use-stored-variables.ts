import { isWhole, type ListedVariable } from '@catenary/contracts'
import { attachmentMark, findVariable, variablePlaceholder } from '@catenary/domain'
import { useQueries } from '@tanstack/react-query'
import { errorReason } from '../../../lib/errors.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { storedMedia } from '../../variables/media-variables.ts'
import { variableContentQuery } from '../prompt-runs.queries.ts'
import type { StoredVariable } from '../run-form.ts'

/** What the library holds for each name: a text's own content, or the fetched one of other types and long texts. */
export function useStoredVariables({
  names,
  variables,
}: {
  names: readonly string[]
  variables: readonly ListedVariable[]
}): ReadonlyMap<string, StoredVariable> {
  const { user, status } = useSession()
  const found = names.flatMap((name) => {
    const variable = findVariable({ name, variables, username: user?.username })
    return variable ? [{ name, variable }] : []
  })
  const fetched = found.filter(({ variable }) => isElsewhere(variable))
  const contents = useQueries({ queries: fetched.map(({ name }) => variableContentQuery(name)) })

  const toStored = (variable: ListedVariable) => {
    const isOwn = variable.owner === user?.username
    const isForeign = !isOwn && status !== 'loading'
    const lender = { username: variable.owner, isAdmin: variable.ownerIsAdmin }
    return {
      ...describe(variable),
      isOwnDrive: variable.type === 'googleDrive' && isOwn,
      lender: isForeign ? lender : null,
      isPrivate: isOwn && !variable.isPublic,
    }
  }
  const stored = new Map<string, StoredVariable>()
  for (const { name, variable } of found) {
    const { attachment } = variable
    const content = isMedia(variable) ? attachment && attachmentMark(attachment) : variable.content
    stored.set(name, { ...toStored(variable), content, problem: null })
  }
  for (const [index, { name, variable }] of fetched.entries()) {
    const { data, error } = contents[index] ?? {}
    const reason = data?.error ?? (error ? errorReason(error) : null)
    const problem = reason === null ? null : `Error loading content: ${reason}`
    stored.set(name, { ...toStored(variable), content: data?.content ?? null, problem })
  }
  return stored
}

const isMedia = ({ type }: ListedVariable): boolean => type === 'image' || type === 'document'

function isElsewhere(variable: ListedVariable): boolean {
  return !isMedia(variable) && (variable.type !== 'text' || !isWhole(variable))
}

function describe(
  variable: ListedVariable,
): Omit<StoredVariable, 'content' | 'problem' | 'isOwnDrive' | 'isPrivate' | 'lender'> {
  const { id: variableId, type, apiUrl, allowedValues } = variable
  const api = type === 'api' ? { variableId, apiUrl } : null
  return {
    type,
    media: storedMedia(variable),
    allowedValues,
    placeholder: variablePlaceholder(variable),
    api,
  }
}
