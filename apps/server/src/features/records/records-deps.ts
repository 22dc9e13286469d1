import type { Database } from '../../db/executor.ts'
import type { UserDirectory } from '../accounts/user-directory.service.ts'
import type { RecordPorts } from './record-port.ts'
import type { ReleaseGate } from './release-gate.ts'

/** What the operations of records work with. */
export interface RecordsDeps {
  db: Database
  directory: Pick<UserDirectory, 'listByUsernames'>
  ports: RecordPorts
  gate: ReleaseGate
}
