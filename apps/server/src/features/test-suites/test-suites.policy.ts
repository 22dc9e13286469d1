import type { RecordRights } from '../records/records.ts'

/** Every signed-in person who sees the prompt or chain; guests have no suites. */
export function canSeeSuite(rights: RecordRights): boolean {
  return rights.canView
}

/** Editors of the prompt or chain. */
export function canChangeSuite(rights: RecordRights): boolean {
  return rights.canView && rights.canEdit
}
