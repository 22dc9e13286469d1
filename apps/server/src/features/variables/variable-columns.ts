import type { SaveVariableRequest } from '@catenary/contracts'
import type { VariableRecord } from './variable-record.ts'

export type VariableFields = Omit<SaveVariableRequest, 'revision' | 'renameReferences'>

/** What is stored but the headers: the fields of the type; an absent one as it was, those of other types emptied. */
export function columnsOf({ fields, stored }: { fields: VariableFields; stored?: VariableRecord }) {
  const { name, type } = fields
  const kept = stored?.type === type ? stored : undefined
  const hasContent = type === 'text' || type === 'file'
  const isApi = type === 'api'
  const isDrive = type === 'googleDrive'
  const pick = <T>(isUsed: boolean, given: T | undefined, before: T | undefined, empty: T): T =>
    isUsed ? (given ?? before ?? empty) : empty
  return {
    name,
    type,
    content: pick(hasContent, fields.content, kept?.content, ''),
    apiUrl: pick(isApi, fields.apiUrl, kept?.apiUrl, ''),
    googleDriveFileId: pick(isDrive, fields.googleDriveFileId, kept?.googleDriveFileId, ''),
    googleDriveFileName: pick(isDrive, fields.googleDriveFileName, kept?.googleDriveFileName, ''),
    googleDriveMimeType: pick(isDrive, fields.googleDriveMimeType, kept?.googleDriveMimeType, ''),
    cacheSeconds: pick(isApi || isDrive, fields.cacheSeconds, kept?.cacheSeconds, 0),
    isPublic: fields.isPublic ?? stored?.isPublic ?? false,
  }
}
