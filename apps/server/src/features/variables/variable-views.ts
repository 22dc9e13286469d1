import type { User, Variable } from '@catenary/contracts'
import type { HeaderVault } from './variable-headers.ts'
import type { VariableRecord } from './variable-record.ts'
import { withoutQuery } from './variable-sources.ts'
import { canChangeVariable } from './variables.policy.ts'

/** A variable as its viewer may know it. */
export function showVariable({
  headers,
  record: { ownerId, ...shown },
  viewer,
}: {
  headers: HeaderVault
  record: VariableRecord
  viewer: User | null
}): Variable {
  const canChange = canChangeVariable(viewer, { ownerId, isPublic: shown.isPublic })
  const { apiHeaders: sealed, id: variableId, apiUrl } = shown
  // Others get the names only (D24).
  const apiHeaders = canChange
    ? headers.show({ place: { variableId, apiUrl }, sealed })
    : Object.fromEntries(Object.keys(sealed).map((name) => [name, '']))
  // The query may hold a key.
  const shownUrl = canChange ? apiUrl : withoutQuery(apiUrl)
  return { ...shown, apiUrl: shownUrl, apiHeaders, canEdit: canChange, canDelete: canChange }
}
