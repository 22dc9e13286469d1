/** What a person may do with the prompt or chain that a suite is of. */
export interface RecordRights {
  canSee: boolean
  canEdit: boolean
}

/** Every signed-in person who sees the prompt or chain; guests have no suites. */
export function canSeeSuite(rights: RecordRights): boolean {
  return rights.canSee
}

/** Editors of the prompt or chain. */
export function canChangeSuite(rights: RecordRights): boolean {
  return rights.canSee && rights.canEdit
}
