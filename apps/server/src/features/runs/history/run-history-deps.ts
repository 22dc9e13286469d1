import type { User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { ChainsService } from '../../chains/chains.ts'
import type { FilesService } from '../../files/files.ts'
import type { PromptsService } from '../../prompts/prompts.ts'
import type { Engine } from '../engine/engine.service.ts'
import type { RunStateRow } from './runs.repository.ts'

/** What the operations on recorded runs work with. */
export interface RunHistoryDeps {
  db: Database
  engine: Pick<Engine, 'remote' | 'cancel'>
  files: Pick<FilesService, 'readMedia'>
  prompts: Pick<PromptsService, 'find' | 'listVisibleClips'>
  chains: Pick<ChainsService, 'findRunRights' | 'requireVisible'>
  log: Log
  /** Prepared once, as each watcher and each poll asks for it. */
  findState: (id: number) => Promise<RunStateRow | undefined>
}

/** A run, and who asks for it. */
export interface WantedRun {
  id: number
  user: User
}
