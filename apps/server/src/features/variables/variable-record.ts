import type { Variable } from '@catenary/contracts'

/** A variable as stored: header values are sealed. */
export type VariableRecord = Omit<Variable, 'canEdit' | 'canDelete'> & { ownerId: number }
