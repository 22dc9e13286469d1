import type { RecordKind } from '@catenary/contracts'

export interface Versioned {
  kind: RecordKind
  id: number
  name: string
}

export interface RailVersion {
  number: number
  note: string
  summary: string
  author: string | null
  createdAt: string
}

/** Two versions by their numbers, the older one first unless a move goes back. */
export interface VersionPair {
  before: number
  after: number
  label?: string
}

export type LabelDialog =
  | { kind: 'move'; label: string; from: number | null; to: number }
  | { kind: 'new'; to: number }
  | { kind: 'remove'; label: string; version: number }
  | { kind: 'note'; version: number }
  | { kind: 'moves' }
