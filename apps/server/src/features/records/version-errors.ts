import type { LabelConflict } from '@catenary/contracts'
import { AppError, fieldError } from '../../errors.ts'

/** What came of deleting a version; `held`: something points to it, and the transaction is over. */
export type VersionDeletion = 'deleted' | 'absent' | 'held'

interface Deletion {
  number: number
  current: number
  labels?: string[] | undefined
}

export function refuseHeldVersion({ number, current, labels = [] }: Deletion): void {
  if (number === current) throw inUse('The current version can’t be deleted')
  if (labels.length === 0) return
  throw inUse(`Version ${number} has the label ${labels.join(', ')}: move it first`, labels)
}

export function requireDeleted(outcome: VersionDeletion): void {
  if (outcome === 'absent') throw versionNotFound()
  if (outcome === 'held') throw inUse('This version is in use. Choose another version there first')
}

export function requireVersion<Version>(version: Version | undefined): Version {
  if (version === undefined) throw versionNotFound()
  return version
}

/** A note without a version of its own would be lost. */
export function nothingToNote(version: number): AppError {
  return fieldError(
    'note',
    `Nothing has changed since version ${version}, so there is no new version for this note`,
  )
}

export function versionNotFound(): AppError {
  return new AppError('not_found', 'Version not found')
}

function inUse(message: string, labels: string[] = []): AppError {
  const details = { code: 'VERSION_IN_USE', labels } satisfies LabelConflict
  return new AppError('conflict', message, { details })
}
