import type { importRequest, User } from '@catenary/contracts'
import type { LossDraft, ReadFile } from '@catenary/domain/imports'
import type * as z from 'zod'
import type { Match } from './imports.policy.ts'
import type { OwnMatches } from './own-records.ts'

export interface Made {
  made: 'new' | 'version' | 'copy'
  promptId: number
  revision: number
  version: number
}

export interface Import {
  user: User
  request: z.output<typeof importRequest>
  read: readonly ReadFile[]
  matches: readonly Match[]
  own: OwnMatches
  losses: LossDraft[]
  note?: string | undefined
  isPushed?: true
}

export interface Chosen {
  match: Match
  as: Made['made']
}
