import type { SaveVariableRequest } from '@catenary/contracts'
import type { VariableRecord } from './variable-record.ts'

export type VariableFields = Omit<SaveVariableRequest, 'revision' | 'renameReferences'>

/** What is stored but the headers: the fields of the type; an absent one as it was, those of other types emptied. */
export function columnsOf({ fields, stored }: { fields: VariableFields; stored?: VariableRecord }) {
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
