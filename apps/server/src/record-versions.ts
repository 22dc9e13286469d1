import type { Chain, LabelConflict } from '@catenary/contracts'
import { AppError, fieldError } from './errors.ts'

/** What came of deleting a version; `held`: something points to it, and the transaction is over. */
export type VersionDeletion = 'deleted' | 'absent' | 'held'

/** Throws `conflict` for the current version of a record, and for one that a label points to (D47). */
export function refuseHeldVersion(
  { version, labels = [] }: { version: number; labels?: Chain['labels'] | undefined },
  number: number,
): void {
  if (number === version) throw inUse('The current version can not be deleted')
  const holding = labels.filter((label) => label.version === number).map(({ label }) => label)
  if (holding.length === 0) return
  throw inUse(`Version ${number} has the label ${holding.join(', ')}: move it first`, holding)
}

/** Throws unless the version was deleted. */
export function requireDeleted(outcome: VersionDeletion): void {
  if (outcome === 'absent') throw versionNotFound()
  if (outcome === 'held') throw inUse('This version is in use. Choose another one there first')
}

export function requireVersion<Version>(version: Version | undefined): Version {
  if (version === undefined) throw versionNotFound()
  return version
}

/** A note without a version of its own would be lost. */
export function nothingToNote(version: number): AppError {
  return fieldError(
    'note',
    `Nothing differs from version ${version}: there is no new version to note this at`,
  )
}

function versionNotFound(): AppError {
  return new AppError('not_found', 'Version not found')
}

function inUse(message: string, labels: string[] = []): AppError {
  const details = { code: 'VERSION_IN_USE', labels } satisfies LabelConflict
  return new AppError('conflict', message, { details })
}
