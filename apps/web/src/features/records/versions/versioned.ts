import type { RecordKind } from '@catenary/contracts'

/** What has versions, and labels on them. */
export interface Versioned {
  kind: RecordKind
  id: number
  name: string
}

/** What the versions of a prompt and of a chain have alike. */
export interface RailVersion {
  number: number
  note: string
  /** Stands in place of a note. */
  summary: string
  author: string | null
  createdAt: string
}

/** Two versions by their numbers, the older one first unless a move goes back. */
export interface VersionPair {
  before: number
  after: number
  /** What their comparison is called, where another stands behind it. */
  label?: string
}

/** The change of labels or a note under way. */
export type LabelDialog =
  | { kind: 'move'; label: string; from: number | null; to: number }
  | { kind: 'new'; to: number }
  | { kind: 'remove'; label: string; version: number }
  | { kind: 'note'; version: number }
  | { kind: 'moves' }
