import type { importRequest, User } from '@catenary/contracts'
import type { LossDraft, ReadFile } from '@catenary/domain/imports'
import type * as z from 'zod'
import type { PromptServerService } from '../prompt-server/prompt-server.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { SkillsService } from '../skills/skills.ts'
import type { Match } from './imports.policy.ts'
import type { OwnMakers } from './make-own-records.ts'
import type { OwnMatches } from './own-records.ts'

/** What creates, changes and deletes the records. */
export interface Makers extends OwnMakers {
  prompts: Pick<PromptsService, 'createManyIn' | 'saveIn' | 'deleteManyIn' | 'port'>
  promptServer: Pick<PromptServerService, 'giveAliasesIn'>
  skills: Pick<SkillsService, 'setIn'>
}

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
  /** What versions say of themselves; undefined: from which file they are. */
  note?: string | undefined
  /** From a folder by its token. */
  isPushed?: true
}

export interface Chosen {
  match: Match
  as: Made['made']
}
